import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { AgentCardSchema } from '../gen/a2a_pb.js';
import { isRequired } from '../protocol/field-behavior.js';

/** Deeper JSON is no card: every known serialiser of RFC 8785 recurses. */
const MAX_DEPTH = 64;

/**
 * What a signature of a card covers, as plain JSON; RFC 8785 turns it into bytes (A2A §8.4.1).
 *
 * - `signatures` is gone, so every signature covers the same payload.
 * - REQUIRED members stay, and so do members whose presence means something, even with their default value.
 * - Other members equal to their default are gone, down to the last message.
 * - An empty message that is there stays: `{}` may be the whole of a security scheme or of a requirement.
 * - The contents of a Struct are nobody's business and stay as they are. So do unknown members: whoever adds one breaks the signature.
 *
 * @param card ProtoJSON with lowerCamelCase names, as sent or received
 * @throws {RangeError} beyond 64 levels
 */
export function canonicalCard(card: JsonObject): JsonObject {
  checkDepth(card, MAX_DEPTH);
  return canonicalMessage(AgentCardSchema, card);
}

/** The part of a card that this version of the protocol knows; proto spellings of names become lowerCamelCase. */
export function knownMembersOf(card: JsonObject): JsonObject {
  checkDepth(card, MAX_DEPTH);
  return knownMembers(AgentCardSchema, card);
}

function canonicalMessage(schema: DescMessage, json: JsonObject): JsonObject {
  const fields = new Map(schema.fields.map((field) => [field.jsonName, field]));
  const kept = Object.entries(json).flatMap(([name, value]): [string, JsonValue][] => {
    const field = fields.get(name);
    if (!field) return [[name, value]];
    return value !== null && stays(schema, field, value) ? [[name, within(field, value, canonicalMessage)]] : [];
  });
  return Object.fromEntries(kept);
}

function knownMembers(schema: DescMessage, json: JsonObject): JsonObject {
  const kept = schema.fields.flatMap((field): [string, JsonValue][] => {
    const value = json[field.jsonName] ?? json[field.name];
    return value === undefined ? [] : [[field.jsonName, within(field, value, knownMembers)]];
  });
  return Object.fromEntries(kept);
}

function stays(schema: DescMessage, field: DescField, value: JsonValue): boolean {
  if (schema === AgentCardSchema && field.name === 'signatures') return false;
  return isRequired(field) || isTracked(field) || !isEmpty(field, value);
}

/** Set and empty is another thing than not set: messages, members of a oneof, and the `optional` keyword. */
function isTracked(field: DescField): boolean {
  return field.fieldKind === 'message' || field.oneof !== undefined || field.proto.proto3Optional;
}

function isEmpty(field: DescField, value: JsonValue): boolean {
  switch (field.fieldKind) {
    case 'list':
      return Array.isArray(value) && value.length === 0;
    case 'map':
      return isObject(value) && Object.keys(value).length === 0;
    case 'scalar':
      return value === (field.scalar === ScalarType.STRING ? '' : field.scalar === ScalarType.BOOL ? false : 0);
    default:
      return false;
  }
}

/** Applies a rule to the messages below a member. What has the wrong shape is left alone; no honest signature covers it. */
function within(field: DescField, value: JsonValue, rule: (schema: DescMessage, json: JsonObject) => JsonObject): JsonValue {
  const { message } = field;
  if (!message || message.typeName.startsWith('google.protobuf.')) return value;
  const apply = (item: JsonValue): JsonValue => (isObject(item) ? rule(message, item) : item);
  if (field.fieldKind === 'message') return apply(value);
  if (field.fieldKind === 'list') return Array.isArray(value) ? value.map(apply) : value;
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, apply(item)])) : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A loop over levels instead of a recursion, so that the check itself stands any depth. */
function checkDepth(root: JsonValue, max: number): void {
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) throw new RangeError(`The card is nested deeper than ${max} levels`);
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}
