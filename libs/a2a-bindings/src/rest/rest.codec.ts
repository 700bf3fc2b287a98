import { type JsonObject, type JsonValue, type Message } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { InvalidParamsError, messageFromJson, messageToJson, type Operation } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { type HttpExchange } from '../http/http-exchange.js';
import { outlineJson } from '../json/json-outline.js';
import { parseJson } from '../json/json.reader.js';
import { routeVariables } from '../http-adapters/route-path.js';
import { isIllFormed } from '../json/well-formed-text.js';
import { findField, readQuery } from './rest.query.js';
import { type RestRoute } from './rest.routes.js';

/** Request messages from path, query and body, response messages into bodies (A2A §11.4, §11.5). */
@Injectable()
export class RestCodec {
  constructor(private readonly settings: HttpSettings) {}

  /**
   * @param text the body; empty for none
   * @throws {A2aError} PARSE_ERROR; INVALID_PARAMS, also when path, query and body tell different values for one member
   */
  readRequest(route: RestRoute, { params, query }: HttpExchange, text: string): Message {
    const { input } = route.operation;
    const fromQuery = query === '' ? {} : readQuery(input, query);
    const members = route.hasBody ? this.#readBody(text) : fromQuery;
    for (const variable of routeVariables(route.path)) {
      setBoundMember(route.operation, members, variable, params[variable] ?? '');
    }
    if (route.hasBody) mergeBoundQuery(route, members, fromQuery);
    return messageFromJson(input, members);
  }

  formatResponse({ output }: Operation, response: Message): string {
    return JSON.stringify(messageToJson(output, response));
  }

  #readBody(text: string): JsonObject {
    if (text === '') return {};
    const { limits } = this.settings;
    const outline = outlineJson(text, limits);
    const body: JsonValue = parseJson(text, outline, limits, refuseMember);
    if (body === null) return {};
    if (typeof body !== 'object' || Array.isArray(body)) throw refuseMember('', 'must be an object');
    return body;
  }
}

function refuseMember(path: string, description: string): InvalidParamsError {
  return InvalidParamsError.of(path || '(body)', description);
}

/** A member that the path names; elsewhere it may only be repeated. */
function setBoundMember({ input }: Operation, members: JsonObject, name: string, value: string): void {
  const jsonName = findField(input, name)?.jsonName ?? name;
  if (isIllFormed(value)) throw InvalidParamsError.of(jsonName, 'must be well-formed text');
  for (const spelling of new Set([name, jsonName])) {
    const repeated = members[spelling];
    if (repeated !== undefined && repeated !== null && repeated !== value) {
      throw InvalidParamsError.of(jsonName, 'differs between the path and the rest of the request');
    }
    delete members[spelling];
  }
  members[jsonName] = value;
}

/** Beside a body the query may only repeat what the path says, or name the tenant. */
function mergeBoundQuery(route: RestRoute, members: JsonObject, fromQuery: JsonObject): void {
  for (const name of ['tenant', 'id', 'taskId']) {
    const value = fromQuery[name];
    const known = members[name];
    if (value === undefined || value === known) continue;
    const bound = routeVariables(route.path).some((variable) => findField(route.operation.input, variable)?.jsonName === name);
    if (bound || (known !== undefined && known !== ''))
      throw InvalidParamsError.of(name, 'differs between the query and the rest of the request');
    if (name === 'tenant') members[name] = value;
  }
}
