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
  const violations = findMissing(schema, message);
  if (violations.length > 0) throw new InvalidParamsError(violations.slice(0, MAX_VIOLATIONS));
}

const MAX_VIOLATIONS = 20;

/** Every member that `checkRequired` misses, by its JSON path. */
export function findMissing(schema: DescMessage, message: Message): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  collect(schema, message, '', violations);
  return violations;
}

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
  const inner = field.fieldKind === 'message' || field.fieldKind === 'list' || field.fieldKind === 'map' ? field.message : undefined;
  // A map may be empty, such as the scopes of an OAuth flow (RFC 6749 knows tokens without any).
  const required = isRequired(field) && field.fieldKind !== 'map';
  return { field, required, inner: inner && !isWellKnown(inner) ? inner : undefined };
}

function collect(schema: DescMessage, message: Message, path: string, violations: FieldViolation[]): void {
  if (schema === PartSchema && (message as Part).content.case === undefined) {
    violations.push({ field: path, description: 'a part holds one of text, raw, url or data' });
  }
  for (const { field, required, inner } of stepsOf(schema)) {
    const isSet = isFieldSet(message, field);
    if (required && !isSet) violations.push({ field: join(path, field.jsonName), description: 'required' });
    else if (isSet && inner) descend(inner, field, valueOf(message, field), join(path, field.jsonName), violations);
  }
}

function descend(inner: DescMessage, { fieldKind }: DescField, value: Members, path: string, violations: FieldViolation[]): void {
  if (fieldKind === 'message') return collect(inner, value as Message, path, violations);
  for (const [key, item] of Object.entries(value as Readonly<Record<string, Message>>)) {
    collect(inner, item, fieldKind === 'list' ? `${path}[${key}]` : `${path}.${key}`, violations);
  }
}

/** A message, or those of a list by index or of a map by key. */
type Members = Message | Readonly<Record<string, Message>> | readonly Message[];

/** Of a member that is set and holds a message or several. */
function valueOf(message: Message, { localName, oneof }: DescField): Members {
  const members = message as unknown as Record<string, Members | { readonly value: Message }>;
  return (oneof ? (members[oneof.localName] as { readonly value: Message }).value : members[localName]) as Members;
}

function isWellKnown(schema: DescMessage): boolean {
  return schema.typeName.startsWith('google.protobuf.');
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
