import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { type FieldViolation, InvalidParamsError } from '@a2a/a2a-core';
import { isIllFormed } from '../json/well-formed-text.js';

const DECIMAL = /^-?\d{1,10}$/;

/**
 * Reads request members from a query (A2A §11.5), strictly: what is not a value of the member's type is refused, not guessed at.
 *
 * Names are lowerCamelCase or as in the proto; unknown ones are ignored; values are percent-decoded, where `+` stands for itself (RFC 3986).
 *
 * @throws {InvalidParamsError} naming every wrong parameter
 */
export function readQuery(schema: DescMessage, query: string): JsonObject {
  const members: JsonObject = {};
  const violations: FieldViolation[] = [];
  for (const [name, text] of splitQuery(query)) {
    const field = findField(schema, name);
    if (!field) continue;
    const value = text === undefined ? undefined : parseValue(field, text);
    if (value === undefined) violations.push({ field: field.jsonName, description: `must be ${describe(field)}` });
    else if (field.jsonName in members) violations.push({ field: field.jsonName, description: 'given twice' });
    else members[field.jsonName] = value;
  }
  if (violations.length > 0) throw new InvalidParamsError(violations);
  return members;
}

/** Pairs of a query; a value that cannot be decoded is undefined. */
function splitQuery(query: string): [string, string | undefined][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    return [decode(name) ?? '', equals === -1 ? '' : decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Finds a member by either of its names. */
export function findField(schema: DescMessage, name: string): DescField | undefined {
  let fields = FIELDS.get(schema);
  if (!fields) {
    fields = new Map(schema.fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const]));
    FIELDS.set(schema, fields);
  }
  return fields.get(name);
}

const FIELDS = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

function parseValue(field: DescField, text: string): JsonValue | undefined {
  if (field.fieldKind === 'enum') return field.enum.values.some(({ name }) => name === text) ? text : undefined;
  if (isTimestamp(field)) return text;
  if (field.fieldKind !== 'scalar') return undefined;
  switch (field.scalar) {
    case ScalarType.STRING:
      return isIllFormed(text) ? undefined : text;
    case ScalarType.BOOL:
      return text === 'true' || (text === 'false' ? false : undefined);
    case ScalarType.INT32:
      return DECIMAL.test(text) ? Number(text) : undefined;
    default:
      return undefined;
  }
}

function isTimestamp(field: DescField): boolean {
  return field.fieldKind === 'message' && field.message.typeName === 'google.protobuf.Timestamp';
}

function describe(field: DescField): string {
  if (field.fieldKind === 'enum') return `one of ${field.enum.values.map(({ name }) => name).join(', ')}`;
  if (field.fieldKind !== 'scalar') return 'sent in a body, not in the query';
  if (field.scalar === ScalarType.BOOL) return 'true or false';
  return field.scalar === ScalarType.STRING ? 'well-formed text' : 'a decimal integer of 32 bits';
}
