import { type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { type FieldViolation, InvalidParamsError } from './errors.js';
import { isRequired } from './field-behavior.js';

/**
 * REQUIRED members are there and not empty, down to the last message (A2A §5.7); a part has content. Names every member that is not.
 *
 * @throws {InvalidParamsError}
 */
export function checkRequired(schema: DescMessage, message: Message): void {
  const violations: FieldViolation[] = [];
  collect(reflect(schema, message), '', violations);
  if (violations.length > 0) throw new InvalidParamsError(violations.slice(0, MAX_VIOLATIONS));
}

const MAX_VIOLATIONS = 20;

function collect(message: ReflectMessage, path: string, violations: FieldViolation[]): void {
  if (message.desc.typeName === 'lf.a2a.v1.Part' && !message.desc.oneofs.some((oneof) => message.oneofCase(oneof))) {
    violations.push({ field: path, description: 'a part holds one of text, raw, url or data' });
  }
  for (const field of message.fields) {
    const at = path ? `${path}.${field.jsonName}` : field.jsonName;
    if (isRequired(field) && !message.isSet(field)) violations.push({ field: at, description: 'required' });
    else if (message.isSet(field)) descend(message, field, at, violations);
  }
}

function descend(message: ReflectMessage, field: DescField, path: string, violations: FieldViolation[]): void {
  if (field.fieldKind === 'message' && !isWellKnown(field.message)) collect(message.get(field), path, violations);
  if (field.fieldKind === 'list' && field.listKind === 'message') {
    let index = 0;
    for (const item of message.get(field)) collect(item as ReflectMessage, `${path}[${index++}]`, violations);
  }
}

function isWellKnown(schema: DescMessage): boolean {
  return schema.typeName.startsWith('google.protobuf.');
}
