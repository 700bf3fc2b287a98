import { Injectable } from '@nestjs/common';
import { HttpCallReader } from '../http/http-call.reader.js';

@Injectable()
export class JsonRpcCallReader extends HttpCallReader {
  protected readonly binding = 'JSONRPC';
}
