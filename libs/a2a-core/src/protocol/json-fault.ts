import { type DescField, type DescMessage, fromJson, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { type FieldViolation } from './errors.js';

const OBJECT = 'expected an object';
const TOO_DEEP = 'nested too deeply';

export const NO_BASE64 = 'expected base64 text';
export const NO_TIMESTAMP = 'expected a timestamp such as 2026-01-31T12:00:00Z';

const SCALARS: Partial<Record<ScalarType, string>> = {
  [ScalarType.STRING]: 'expected a string',
  [ScalarType.BOOL]: 'expected true or false',
  [ScalarType.INT32]: 'expected an integer of 32 bits',
  [ScalarType.BYTES]: NO_BASE64,
};

/**
 * Finds the member that keeps `json` from being a message of this schema, and says in plain words what belongs there.
 *
 * The parser gives no path and speaks of its own types, so the pieces are parsed again one by one. That costs a few times the first
 * parse, and only where a request is refused anyway.
 *
 * @param json what the parser refused
 * @param path dotted path of `json` within the request; empty for the whole request
 */
export function findFault(schema: DescMessage, json: JsonValue, path: string): FieldViolation {
  const field = path || schema.name;
  if (schema.typeName === 'google.protobuf.Timestamp') return { field, description: NO_TIMESTAMP };
  if (schema.typeName === 'google.protobuf.Value') return { field, description: TOO_DEEP };
  if (!isObject(json)) return { field, description: OBJECT };
  if (schema.typeName === 'google.protobuf.Struct') return { field, description: TOO_DEEP };

  for (const member of schema.fields) {
    const value = valueOf(member, json);
    if (value !== undefined && !fits(schema, { [member.jsonName]: value })) {
      return findFaultIn(member, value, path ? `${path}.${member.jsonName}` : member.jsonName);
    }
  }
  for (const { fields } of schema.oneofs) {
    const set = fields.filter((member) => valueOf(member, json) !== undefined).map(({ jsonName }) => jsonName);
    if (set.length > 1) return { field, description: `holds ${set.join(' and ')}, of which only one may be set` };
  }
  return { field, description: 'does not fit the schema' };
}

function findFaultIn(field: DescField, value: JsonValue, path: string): FieldViolation {
  if (field.fieldKind === 'list') {
    if (!Array.isArray(value)) return { field: path, description: 'expected an array' };
    const index = value.findIndex((item) => !fits(field.parent, { [field.jsonName]: [item] }));
    return findFaultInItem(field, value[index] ?? null, `${path}[${index}]`);
  }
  if (field.fieldKind === 'map') {
    if (!isObject(value)) return { field: path, description: OBJECT };
    const [key = '', item = null] =
      Object.entries(value).find(([name, it]) => !fits(field.parent, { [field.jsonName]: { [name]: it } })) ?? [];
    return findFaultInItem(field, item, `${path}.${key}`);
  }
  return findFaultInItem(field, value, path);
}

function findFaultInItem(field: DescField, value: JsonValue, path: string): FieldViolation {
  if (value === null) return { field: path, description: 'must not be null' };
  if (field.message) return findFault(field.message, value, path);
  const scalar = field.scalar === undefined ? undefined : SCALARS[field.scalar];
  return { field: path, description: scalar ?? 'does not fit the schema' };
}

function valueOf(field: DescField, json: JsonObject): JsonValue | undefined {
  return json[field.jsonName] ?? json[field.name];
}

function fits(schema: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(schema, json, { ignoreUnknownFields: true });
    return true;
  } catch {
    return false;
  }
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
