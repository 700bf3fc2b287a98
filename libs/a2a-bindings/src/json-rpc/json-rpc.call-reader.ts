import { Injectable } from '@nestjs/common';
import { HttpCallReader } from '../http/http-call.reader.js';

/** Tells the headers of a JSON-RPC call. The operation is not known before the body, so it names none. */
@Injectable()
export class JsonRpcCallReader extends HttpCallReader {
  protected readonly binding = 'JSONRPC';
}
