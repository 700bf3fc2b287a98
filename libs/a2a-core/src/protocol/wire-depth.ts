import { type JsonValue } from '@bufbuild/protobuf';
import { type Value } from '@bufbuild/protobuf/wkt';

/**
 * How deep free JSON may nest, counted as protobuf does: an object is three messages within each other, a list two.
 *
 * Protobuf readers stop at 100 messages. What one wire took and another could not give back would make a caller's whole list of tasks
 * unreadable there (A2A §4, §5.1); ten messages are left for the task around the JSON.
 */
export const MAX_WIRE_DEPTH = 90;

/** Completes a sentence that begins with what is too deep. */
export const TOO_DEEP = 'nested too deep; at most 30 objects or 45 lists within each other';

const OBJECT = 3;
const LIST = 2;

/** Whether metadata, or any JSON value, nests deeper than every wire can carry. */
export function isJsonTooDeep(value: JsonValue | undefined, room = MAX_WIRE_DEPTH): boolean {
  if (room < 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => isJsonTooDeep(item, room - LIST));
  return Object.values(value).some((item) => isJsonTooDeep(item, room - OBJECT));
}

/** The same for the value of a data part. */
export function isDataTooDeep({ kind }: Value, room = MAX_WIRE_DEPTH): boolean {
  if (room < 0) return true;
  if (kind.case === 'listValue') return kind.value.values.some((item) => isDataTooDeep(item, room - LIST));
  return kind.case === 'structValue' && Object.values(kind.value.fields).some((item) => isDataTooDeep(item, room - OBJECT));
}
