import { type DescField, type DescMessage, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { InvalidParamsError } from './errors.js';
import { NO_BASE64, NO_TIMESTAMP } from './json-fault.js';
import { isBase64, isOnCalendar } from './json-scalars.js';

/**
 * ProtoJSON lets a member be spelled in lowerCamelCase or as in the proto; both at once would leave open which one counts, so that is
 * refused. What the parser would let pass silently is refused here too: unknown enum names, base64 that is none, days that no month has.
 *
 * @throws {InvalidParamsError} naming the member
 */
export function checkSpelling(schema: DescMessage, json: JsonValue, path: string): void {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || isWellKnown(schema)) return;
  for (const field of schema.fields) {
    const value = json[field.jsonName];
    if (field.name !== field.jsonName && field.name in json) {
      if (value !== undefined)
        throw InvalidParamsError.of(join(path, field.jsonName), `given twice, as ${field.jsonName} and ${field.name}`);
      checkValue(field, json[field.name], join(path, field.jsonName));
    } else if (value !== undefined) {
      checkValue(field, value, join(path, field.jsonName));
    }
  }
}

function checkValue(field: DescField, value: JsonValue | undefined, path: string): void {
  if (value === undefined || value === null) return;
  if (field.fieldKind === 'enum') return checkEnum(field, value, path);
  if (typeof value === 'string') return checkText(field, value, path);
  if (field.fieldKind === 'message') return checkSpelling(field.message, value, path);
  if (field.fieldKind === 'list' && Array.isArray(value)) {
    const { message } = field;
    if (message) value.forEach((item, index) => checkSpelling(message, item, `${path}[${index}]`));
  }
  if (field.fieldKind === 'map' && field.message && typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) checkSpelling(field.message, item, join(path, key));
  }
}

function checkEnum(field: DescField & { fieldKind: 'enum' }, value: JsonValue, path: string): void {
  const known = field.enum.values.some(({ name, number }) => value === name || value === number);
  if (!known) throw InvalidParamsError.of(path, `unknown value; known: ${field.enum.values.map(({ name }) => name).join(', ')}`);
}

function checkText(field: DescField, value: string, path: string): void {
  if (field.scalar === ScalarType.BYTES && !isBase64(value)) throw InvalidParamsError.of(path, NO_BASE64);
  if (field.message?.typeName === 'google.protobuf.Timestamp' && !isOnCalendar(value)) throw InvalidParamsError.of(path, NO_TIMESTAMP);
}

/** Struct, Value, Timestamp and the like have JSON forms of their own. */
function isWellKnown(schema: DescMessage): boolean {
  return schema.typeName.startsWith('google.protobuf.');
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
