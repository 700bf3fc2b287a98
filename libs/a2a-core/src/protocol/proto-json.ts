import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { AgentCardSchema, ListTasksResponseSchema } from '../gen/a2a_pb.js';
import { isRequired } from './field-behavior.js';
import { InvalidParamsError } from './errors.js';
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
  } catch (error) {
    throw InvalidParamsError.of(path || schema.name, publicReason(error));
  }
}

/**
 * The ProtoJSON form of a message: lowerCamelCase names, enums by name, `Z` timestamps, and the REQUIRED members that plain ProtoJSON
 * drops when they are empty (A2A §5.5–§5.7, ListTasksResponse in §3.1.4).
 */
export function messageToJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): JsonValue {
  const json = toJson(schema, message);
  return NEEDS_EMPTY_MEMBERS.has(schema.typeName) ? withRequiredMembers(schema, json as JsonObject) : json;
}

/** Only here can a valid message have an empty REQUIRED member. */
const NEEDS_EMPTY_MEMBERS: ReadonlySet<string> = new Set([ListTasksResponseSchema.typeName, AgentCardSchema.typeName]);

function withRequiredMembers(schema: DescMessage, json: JsonObject): JsonObject {
  for (const field of schema.fields) {
    if (isRequired(field) && json[field.jsonName] === undefined) json[field.jsonName] = emptyValue(field);
  }
  return json;
}

function emptyValue(field: DescField): JsonValue {
  switch (field.fieldKind) {
    case 'list':
      return [];
    case 'map':
    case 'message':
      return {};
    case 'scalar':
      return field.scalar === 9 ? '' : 0;
    case 'enum':
      return field.enum.values[0]?.name ?? '';
  }
}

/** Our own words for the parser's complaint: what is wrong, without library names or input echoed at length. */
function publicReason(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return text.replace(/^cannot decode (message|field) /, '').slice(0, 200) || 'does not fit the schema';
}
