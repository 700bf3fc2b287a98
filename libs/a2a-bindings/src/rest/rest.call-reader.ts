import { Injectable } from '@nestjs/common';
import { HttpCallReader } from '../http/http-call.reader.js';

@Injectable()
export class RestCallReader extends HttpCallReader {
  protected readonly binding = 'HTTP+JSON';
}
