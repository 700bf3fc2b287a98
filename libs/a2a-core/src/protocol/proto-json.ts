import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { AgentCardSchema, ListTasksResponseSchema } from '../gen/a2a_pb.js';
import { isRequired } from './field-behavior.js';
import { InvalidParamsError } from './errors.js';
import { findFault } from './json-fault.js';
import { checkSpelling } from './json-spelling.js';

/**
 * Reads a request message from its ProtoJSON form: lowerCamelCase and proto names, unknown members ignored (A2A §5.5, §5.7).
 *
 * @param path dotted path of `json` within the request, for error messages; empty for the whole request
 * @throws {InvalidParamsError} naming the member that does not fit
 */
export function messageFromJson<Desc extends DescMessage>(schema: Desc, json: JsonValue, path = ''): MessageShape<Desc> {
  if (json === null || json === undefined) return create(schema);
  checkSpelling(schema, json, path);
  try {
    return fromJson(schema, json, { ignoreUnknownFields: true });
  } catch {
    throw new InvalidParamsError([findFault(schema, json, path)]);
  }
}

/**
 * The ProtoJSON form of a message: lowerCamelCase names, enums by name, `Z` timestamps, and the REQUIRED members that plain ProtoJSON
 * drops when they are empty (A2A §5.5–§5.7, ListTasksResponse in §3.1.4).
 */
export function messageToJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): JsonValue {
  const json = toJson(schema, message);
  if (schema.typeName === ListTasksResponseSchema.typeName) return withRequiredMembers(schema, json as JsonObject);
  if (schema.typeName === AgentCardSchema.typeName) return withAllRequiredMembers(schema, json as JsonObject);
  return json;
}

/** Fills in the empty members of one message. Of all messages, only pages and cards can be valid with an empty REQUIRED member. */
function withRequiredMembers(schema: DescMessage, json: JsonObject): JsonObject {
  for (const field of schema.fields) {
    if (isRequired(field) && json[field.jsonName] === undefined) json[field.jsonName] = emptyValue(field);
  }
  return json;
}

/** The same down to the messages within: an OAuth flow without scopes, a provider without url. */
function withAllRequiredMembers(schema: DescMessage, json: JsonObject): JsonObject {
  for (const { message, fieldKind, jsonName } of schema.fields) {
    const value = json[jsonName];
    if (!message || message.typeName.startsWith('google.protobuf.') || value === undefined) continue;
    const within = fieldKind === 'message' ? [value] : Object.values(value as JsonObject);
    for (const item of within) withAllRequiredMembers(message, item as JsonObject);
  }
  return withRequiredMembers(schema, json);
}

function emptyValue(field: DescField): JsonValue {
  switch (field.fieldKind) {
    case 'list':
      return [];
    case 'map':
    case 'message':
      return {};
    case 'scalar':
      return field.scalar === ScalarType.STRING ? '' : 0;
    case 'enum':
      return field.enum.values[0]?.name ?? '';
  }
}
