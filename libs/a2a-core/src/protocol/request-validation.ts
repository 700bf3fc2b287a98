import { type DescField, type DescMessage, isFieldSet, type Message } from '@bufbuild/protobuf';
import { type Part, PartSchema } from '../gen/a2a_pb.js';
import { type FieldViolation, InvalidParamsError } from './errors.js';
import { isRequired } from './field-behavior.js';

/**
 * REQUIRED members are there and not empty, down to the last message (A2A §5.7); a part has content. Names every member that is not.
 *
 * @throws {InvalidParamsError}
 */
export function checkRequired(schema: DescMessage, message: Message): void {
  const violations: FieldViolation[] = [];
  collect(schema, message, '', violations);
  if (violations.length > 0) throw new InvalidParamsError(violations.slice(0, MAX_VIOLATIONS));
}

const MAX_VIOLATIONS = 20;

/** A member that has to be looked at: REQUIRED, or with messages in it that may miss something. */
interface Step {
  readonly field: DescField;
  readonly required: boolean;
  readonly inner?: DescMessage;
}

const known = new WeakMap<DescMessage, readonly Step[]>();

function stepsOf(schema: DescMessage): readonly Step[] {
  const steps = known.get(schema) ?? schema.fields.map(toStep).filter(({ required, inner }) => required || inner);
  known.set(schema, steps);
  return steps;
}

function toStep(field: DescField): Step {
  const inner = field.fieldKind === 'message' || field.fieldKind === 'list' ? field.message : undefined;
  return { field, required: isRequired(field), inner: inner && !isWellKnown(inner) ? inner : undefined };
}

function collect(schema: DescMessage, message: Message, path: string, violations: FieldViolation[]): void {
  if (schema === PartSchema && (message as Part).content.case === undefined) {
    violations.push({ field: path, description: 'a part holds one of text, raw, url or data' });
  }
  for (const { field, required, inner } of stepsOf(schema)) {
    const isSet = isFieldSet(message, field);
    if (required && !isSet) violations.push({ field: join(path, field.jsonName), description: 'required' });
    else if (isSet && inner) descend(inner, valueOf(message, field), join(path, field.jsonName), violations);
  }
}

function descend(schema: DescMessage, value: Message | readonly Message[], path: string, violations: FieldViolation[]): void {
  if (!Array.isArray(value)) return collect(schema, value as Message, path, violations);
  value.forEach((item: Message, index) => collect(schema, item, `${path}[${index}]`, violations));
}

/** Of a member that is set and holds a message or several. */
function valueOf(message: Message, { localName, oneof }: DescField): Message | readonly Message[] {
  const members = message as unknown as Record<string, Message | readonly Message[] | { readonly value: Message }>;
  return (oneof ? (members[oneof.localName] as { readonly value: Message }).value : members[localName]) as Message | readonly Message[];
}

function isWellKnown(schema: DescMessage): boolean {
  return schema.typeName.startsWith('google.protobuf.');
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
