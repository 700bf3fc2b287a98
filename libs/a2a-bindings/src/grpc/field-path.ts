import { type DescField, type DescMessage } from '@bufbuild/protobuf';

const SEGMENT = /^([^[]+)(\[\d+\])?$/;

/**
 * The proto names of a path in JSON names: `message.parts[0].mediaType` becomes `message.parts[0].media_type`.
 *
 * What the schema does not know stays as it is: keys within metadata, and service parameters such as `A2A-Version`.
 */
export function protoFieldPath(schema: DescMessage, jsonPath: string): string {
  const segments = jsonPath.split('.');
  let message: DescMessage | undefined = schema;
  for (const [at, segment] of segments.entries()) {
    const [, name, index = ''] = SEGMENT.exec(segment) ?? [];
    const field: DescField | undefined = message?.fields.find(({ jsonName }) => jsonName === name);
    if (!field) break;
    segments[at] = field.name + index;
    message = field.message?.typeName.startsWith('google.protobuf.') ? undefined : field.message;
  }
  return segments.join('.');
}
