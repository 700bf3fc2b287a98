import { type DescMessage, type Message } from '@bufbuild/protobuf';
import { isReflectList, isReflectMap, isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

/**
 * Members that are there and hold nothing but white space, by their JSON paths.
 *
 * Values of a map of texts may be blank, such as the description of a scope, and so may whatever stands in a Struct.
 */
export function findBlank(schema: DescMessage, message: Message): readonly string[] {
  return blankIn(reflect(schema, message), '');
}

function blankIn(message: ReflectMessage, path: string): string[] {
  if (message.desc.typeName.startsWith('google.protobuf.')) return [];
  return message.sortedFields.flatMap((field) =>
    message.isSet(field) ? blankAt(message.get(field), path === '' ? field.jsonName : `${path}.${field.jsonName}`) : [],
  );
}

function blankAt(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [path] : [];
  if (isReflectMessage(value)) return blankIn(value, path);
  if (isReflectList(value)) return [...value].flatMap((item, index) => blankAt(item, `${path}[${index}]`));
  if (!isReflectMap(value)) return [];
  return [...value].flatMap(([key, item]) => (isReflectMessage(item) ? blankIn(item, `${path}.${String(key)}`) : []));
}
