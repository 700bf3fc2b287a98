// Writes libs/a2a-core/a2a.schema.json from proto/a2a.proto: the ProtoJSON form of every message, as JSON Schema draft 2020-12.
// `--check` writes nothing and fails when the file is not what it would write.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, getOption, hasOption } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const TARGET = new URL('../libs/a2a-core/a2a.schema.json', import.meta.url);
const PROTO_FILE = 'a2a';

/** REQUIRED arrays of which a valid message can have an empty one: an agent without skills, a page without tasks. */
const MAY_BE_EMPTY = new Set(['lf.a2a.v1.AgentCard.skills', 'lf.a2a.v1.ListTasksResponse.tasks']);

const FIELD_BEHAVIOR_REQUIRED = 2;

const SCALARS = {
  5: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  8: { type: 'boolean' },
  9: { type: 'string' },
  12: { type: 'string', contentEncoding: 'base64', pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' },
};

const WELL_KNOWN = {
  'google.protobuf.Empty': { type: 'object', maxProperties: 0 },
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Timestamp': {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
  },
  'google.protobuf.Value': {},
};

function readRegistry() {
  const image = execFileSync('buf', ['build', '--output', '-'], { maxBuffer: 1 << 26 });
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
}

function toSchema(registry) {
  const file = [...registry.files].find(({ name }) => name === PROTO_FILE);
  const fieldBehavior = registry.getExtension('google.api.field_behavior');
  const isRequired = (field) => hasOption(field, fieldBehavior) && getOption(field, fieldBehavior).includes(FIELD_BEHAVIOR_REQUIRED);
  const named = [...file.enums, ...file.messages].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'a2a.schema.json',
    title: 'Agent2Agent (A2A) protocol 1.0',
    description:
      'Messages as this platform writes them (ProtoJSON). Readers accept more: proto names for members, numbers for enums, URL-safe base64, other time zones. Unknown members are to be ignored. Made by `npm run generate`; do not edit.',
    $defs: Object.fromEntries(named.map((desc) => [desc.name, desc.kind === 'enum' ? enumSchema(desc) : messageSchema(desc, isRequired)])),
  };
}

function enumSchema(desc) {
  return { ...comment(desc), type: 'string', enum: desc.values.map(({ name }) => name) };
}

/** Every oneof of this protocol means exactly one of its members. */
function messageSchema(desc, isRequired) {
  const required = desc.fields.filter(isRequired).map(({ jsonName }) => jsonName);
  const choices = desc.oneofs.filter(({ fields }) => fields.length > 0).map(({ fields }) => fields);
  if (choices.length > 1) throw new Error(`${desc.typeName} has several oneofs: teach this script to combine them`);
  return {
    ...comment(desc),
    type: 'object',
    properties: Object.fromEntries(desc.fields.map((field) => [field.jsonName, fieldSchema(field, isRequired(field))])),
    ...(required.length > 0 && { required }),
    ...(choices.length > 0 && { oneOf: choices[0].map(({ jsonName }) => ({ required: [jsonName] })) }),
  };
}

function fieldSchema(field, required) {
  return { ...comment(field), ...typeSchema(field, required), ...(field.proto.options?.deprecated && { deprecated: true }) };
}

function typeSchema(field, required) {
  if (field.fieldKind === 'map') return { type: 'object', additionalProperties: singularSchema(field) };
  if (field.fieldKind === 'list') {
    const filled = required && !MAY_BE_EMPTY.has(`${field.parent.typeName}.${field.name}`);
    return { type: 'array', items: singularSchema(field), ...(filled && { minItems: 1 }) };
  }
  const zero = required && field.enum?.values[0];
  return { ...singularSchema(field), ...(zero && { not: { const: zero.name } }) };
}

function singularSchema({ message, enum: enumeration, scalar }) {
  const desc = message ?? enumeration;
  const schema = desc ? (WELL_KNOWN[desc.typeName] ?? { $ref: `#/$defs/${desc.name}` }) : SCALARS[scalar];
  if (!schema) throw new Error(`No JSON form known for scalar ${scalar}: teach this script`);
  return schema;
}

/** What the proto says above a message, enum or member. */
function comment(desc) {
  const { sourceCodeInfo } = (desc.parent ?? desc).file.proto;
  const path = sourcePath(desc).join();
  const location = sourceCodeInfo.location.find((candidate) => candidate.path.join() === path);
  const text = location?.leadingComments.trim().replace(/\s*\n\s*/g, ' ');
  return text ? { description: text } : {};
}

/** Place of an element in descriptor.proto's numbers: 4 messages, 2 the fields of one, 5 enums. */
function sourcePath(desc) {
  if (desc.kind === 'field') return [...sourcePath(desc.parent), 2, desc.parent.proto.field.indexOf(desc.proto)];
  const { messageType, enumType } = desc.file.proto;
  return desc.kind === 'enum' ? [5, enumType.indexOf(desc.proto)] : [4, messageType.indexOf(desc.proto)];
}

const text = `${JSON.stringify(toSchema(readRegistry()), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, 'utf8') !== text) {
  process.stderr.write('libs/a2a-core/a2a.schema.json is not what proto/a2a.proto says: run `npm run generate`\n');
  process.exitCode = 1;
}
