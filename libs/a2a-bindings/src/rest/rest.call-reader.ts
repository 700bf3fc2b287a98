import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type OperationName } from '@a2a/a2a-core';
import { HttpCallReader } from '../http/http-call.reader.js';
import { ServesOperation } from './rest.routes.js';

const REFLECTOR = new Reflector();

/** Tells the headers of an HTTP+JSON call, and its operation, which follows from the route. */
@Injectable()
export class RestCallReader extends HttpCallReader {
  protected readonly binding = 'HTTP+JSON';

  protected override operationOf(context: ExecutionContext): OperationName {
    return REFLECTOR.get(ServesOperation, context.getHandler());
  }
}
