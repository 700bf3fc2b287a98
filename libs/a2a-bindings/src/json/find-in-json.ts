import { type JsonValue } from '@bufbuild/protobuf';

/**
 * Path of the first value that `refuses` says yes to, such as `message.parts[0].data`. A key that is refused has the path of its object.
 *
 * @param refuses asked about every string, number, boolean, null and key
 */
export function findInJson(value: JsonValue, refuses: (leaf: JsonValue) => boolean, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return refuses(value) ? path : undefined;
  for (const [key, item] of Object.entries(value)) {
    if (refuses(key)) return path;
    const found = findInJson(item as JsonValue, refuses, step(path, key, Array.isArray(value)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of what `key` names within `path`. */
export function step(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  return path ? `${path}.${key}` : key;
}
