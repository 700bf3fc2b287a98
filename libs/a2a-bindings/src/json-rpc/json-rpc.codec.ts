import { type JsonObject, type JsonValue, type Message } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { A2aError, findOperation, InvalidParamsError, messageFromJson, messageToJson, type Operation } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { type HttpExchange } from '../http/http-exchange.js';
import { outlineJson } from '../json/json-outline.js';
import { parseJson } from '../json/json.reader.js';
import { isIllFormed } from '../json/well-formed-text.js';

/** A request object, understood. */
export interface JsonRpcCall {
  readonly operation: Operation;
  readonly request: Message;
}

const WITHIN_PARAMS = /^params(?:$|[.[])/;
const MAX_ID_LENGTH = 256;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** JSON-RPC 2.0 request and response objects (A2A §9). */
@Injectable()
export class JsonRpcCodec {
  constructor(private readonly settings: HttpSettings) {}

  /**
   * Reads one request object. The exchange learns id and operation as soon as they are known, so that an error further on carries them.
   *
   * @throws {A2aError} PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS
   */
  readCall(text: string, exchange: HttpExchange): JsonRpcCall {
    const { limits } = this.settings;
    const outline = outlineJson(text, limits);
    const id = outline.members.get('id');
    if (id !== undefined && isId(id) && !outline.repeated) exchange.rpcId = id;

    const { jsonrpc, method, params } = checkEnvelope(parseJson(text, outline, limits, outline.repeated ? refuseEnvelope : refuseMember));
    if (id === undefined) throw invalidRequest('id is missing; every method has an answer');
    if (!isId(id)) throw invalidRequest(`id must be a string of at most ${MAX_ID_LENGTH} characters, a number or null`);
    if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
    if (typeof method !== 'string') throw invalidRequest('method must be a string');
    const operation = findOperation(method);
    if (!operation) throw new A2aError('METHOD_NOT_FOUND', 'Method not found');
    if (exchange.begun) exchange.begun = { ...exchange.begun, operation: operation.name };
    return { operation, request: messageFromJson(operation.input, checkParams(params)) };
  }

  /** @param id JSON text, so that it comes back exactly as it was sent */
  formatResult(id: string, { output }: Operation, response: Message): string {
    return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(messageToJson(output, response))}}`;
  }
}

/** @param token JSON text of the member, from a text that need not be valid */
function isId(token: string): boolean {
  if (token === 'null') return true;
  if (!token.startsWith('"')) return token.length <= MAX_ID_LENGTH && NUMBER.test(token) && Number.isFinite(Number(token));
  try {
    const id = JSON.parse(token) as string;
    return id.length <= MAX_ID_LENGTH && !isIllFormed(id);
  } catch {
    return false;
  }
}

/** What is wrong within `params` is wrong in the request message; anything else makes no request object (A2A §9.5). */
function refuseMember(path: string, description: string): A2aError {
  if (!WITHIN_PARAMS.test(path)) return refuseEnvelope(path, description);
  return InvalidParamsError.of(path.replace(/^params\./, ''), description);
}

function refuseEnvelope(path: string, description: string): A2aError {
  return invalidRequest(path ? `${path}: ${description}` : description);
}

function checkEnvelope(value: JsonValue): JsonObject {
  if (Array.isArray(value)) throw invalidRequest('batches are not supported');
  if (typeof value !== 'object' || value === null) throw invalidRequest('the body must be a request object');
  return value;
}

function checkParams(params: JsonValue | undefined): JsonObject {
  if (params === undefined) return {};
  if (typeof params !== 'object' || params === null || Array.isArray(params)) throw InvalidParamsError.of('params', 'must be an object');
  return params;
}

function invalidRequest(reason: string): A2aError {
  return new A2aError('INVALID_REQUEST', `Request payload validation error: ${reason}`);
}
