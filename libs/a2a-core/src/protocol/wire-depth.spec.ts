import { fromBinary, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { isDataTooDeep, isJsonTooDeep } from './wire-depth.js';

const objects = (depth: number): JsonValue => (depth === 0 ? 1 : { k: objects(depth - 1) });
const lists = (depth: number): JsonValue => (depth === 0 ? 1 : [lists(depth - 1)]);

describe('how deep free JSON may nest', () => {
  it.each([
    ['30 objects', objects(30), false],
    ['31 objects', objects(31), true],
    ['45 lists', lists(45), false],
    ['46 lists', lists(46), true],
    ['a scalar', 'x', false],
    ['null', null, false],
  ] as const)('%s are too deep: %s [DATA-02, CONF-02]', (_what, json, tooDeep) => {
    expect(isJsonTooDeep(json as JsonValue)).toBe(tooDeep);
    const value = fromJson(ValueSchema, json as JsonValue);
    expect(isDataTooDeep(value)).toBe(tooDeep);
    expect(isDataTooDeep(fromBinary(ValueSchema, toBinary(ValueSchema, value)))).toBe(tooDeep);
  });
});
