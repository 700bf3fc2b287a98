import { type JsonValue } from '@bufbuild/protobuf';
import { step } from './find-in-json.js';

/** A key that reaches the prototype of an object once it is copied without care. */
export interface PrototypeKey {
  /** Path of the object that holds it. */
  readonly path: string;
  readonly key: '__proto__' | 'constructor.prototype';
}

/** The first key in a value, as the plain parser makes it, that secure-json-parse refuses. */
export function findPrototypeKey(value: JsonValue, path = ''): PrototypeKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return { path, key: '__proto__' };
  if (hasConstructorWithPrototype(value)) return { path, key: 'constructor.prototype' };
  for (const [name, item] of Object.entries(value)) {
    const found = findPrototypeKey(item as JsonValue, step(path, name, Array.isArray(value)));
    if (found) return found;
  }
  return undefined;
}

function hasConstructorWithPrototype(value: object): boolean {
  const found: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value;
  return typeof found === 'object' && found !== null && Object.hasOwn(found, 'prototype');
}
