import { isUtf8 } from 'node:buffer';
import { type DescMessage } from '@bufbuild/protobuf';
import { InvalidParamsError } from '@a2a/a2a-core';
import { type FieldPlan, type MessagePlan, planOf } from './message.plan.js';
import { MalformedEncoding, WireReader, WireType } from './wire.reader.js';

/** How much structure a request may have, whatever its size in bytes. */
export interface ShapeLimits {
  /** Nesting as it would be in JSON. */
  readonly maxDepth: number;
  /** Members and elements, those of metadata and data included. */
  readonly maxNodes: number;
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in Unix seconds: what RFC 3339 can say. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
const LAST_NANO = 999_999_999n;

const MAP_KEY = (1 << 3) | WireType.bytes;
const MAP_VALUE = (2 << 3) | WireType.bytes;
const LONGEST_SPECIAL_KEY = 'constructor'.length;

/**
 * Reads an encoded request without building anything, and refuses what a JSON wire would refuse too: deep or wide structure, malformed
 * encoding, U+0000 and broken UTF-8 in text, unknown enum numbers, two members of one oneof, numbers and times that JSON cannot say.
 *
 * A megabyte of empty parts decodes into hundreds of megabytes of objects, so this comes first.
 *
 * @throws {InvalidParamsError} naming the member at fault, in JSON names
 */
export function scanMessage(schema: DescMessage, bytes: Uint8Array, limits: ShapeLimits): void {
  const scanner = new MessageScanner(new WireReader(bytes), limits);
  try {
    scanner.scan(planOf(schema), bytes.length, 1);
  } catch (error) {
    if (error instanceof MalformedEncoding) scanner.refuse('not a valid protobuf encoding');
    throw error;
  }
}

class MessageScanner {
  readonly #path: string[] = [];
  #nodes = 0;
  /** What is being read is the value of a member named `constructor`, and no list in it. */
  #inConstructor = false;

  constructor(
    private readonly reader: WireReader,
    private readonly limits: ShapeLimits,
  ) {}

  scan(plan: MessagePlan, end: number, depth: number): void {
    if (depth > this.limits.maxDepth) this.refuse(`nested more than ${this.limits.maxDepth} levels deep`);
    let oneofs = 0;
    let index = 0;
    let previous = 0;
    while (this.reader.pos < end) {
      const tag = this.reader.int32(end);
      const number = tag >>> 3;
      const wireType = tag & 7;
      const field = plan.fields.get(number);
      if (number === 0 || (field && field.wireType !== wireType)) throw new MalformedEncoding();
      if (!plan.isValue) this.#countNode();
      if (!field) {
        this.reader.skip(wireType, end);
        continue;
      }
      if (oneofs & field.oneofBit) this.refuse('more than one of its alternatives is set', field);
      oneofs |= field.oneofBit;
      index = number === previous ? index + 1 : 0;
      previous = number;
      this.#scanField(field, index, end, depth);
    }
    if (plan.isValue && oneofs === 0) this.refuse('a value of no kind');
  }

  #scanField(field: FieldPlan, index: number, end: number, depth: number): void {
    switch (field.kind) {
      case 'message':
        if (field.repeated) this.#inConstructor = false;
        return this.#within(field, index, () => this.scan(planOf(field.message), this.reader.lengthEnd(end), depth + field.levels));
      case 'map':
        return this.#within(field, index, () => this.#scanEntry(field, this.reader.lengthEnd(end), depth));
      case 'text':
        return this.#scanText(this.reader.lengthEnd(end), field);
      case 'enum':
        return this.#scanEnum(field, end);
      case 'double':
        return Number.isFinite(this.reader.double(end)) ? undefined : this.refuse('not a finite number', field);
      case 'seconds':
        return this.#scanRange(FIRST_SECOND, LAST_SECOND, end);
      case 'nanos':
        return this.#scanRange(0n, LAST_NANO, end);
      case 'plain':
        return this.reader.skip(field.wireType, end);
    }
  }

  /** A value is judged by its key, which may stand behind it. */
  #scanEntry(field: FieldPlan & { kind: 'map' }, end: number, depth: number): void {
    const { pos } = this.reader;
    let key = '';
    this.#eachOfEntry(end, (tag, last) => {
      if (tag === MAP_KEY) key = this.#scanKey(last, field);
      this.reader.pos = last;
    });
    this.reader.pos = pos;
    const outer = this.#inConstructor;
    this.#inConstructor = key === 'constructor';
    this.#eachOfEntry(end, (tag, last) => {
      if (tag === MAP_VALUE) this.scan(planOf(field.message), last, depth + field.levels);
      this.reader.pos = last;
    });
    this.#inConstructor = outer;
  }

  #eachOfEntry(end: number, read: (tag: number, last: number) => void): void {
    while (this.reader.pos < end) {
      const tag = this.reader.int32(end);
      if (tag !== MAP_KEY && tag !== MAP_VALUE) throw new MalformedEncoding();
      read(tag, this.reader.lengthEnd(end));
    }
  }

  #scanKey(end: number, field: FieldPlan): string {
    const { bytes, pos } = this.reader;
    this.#scanText(end, field);
    const key = end - pos > LONGEST_SPECIAL_KEY ? '' : Buffer.from(bytes.buffer, bytes.byteOffset + pos, end - pos).toString();
    if (key === '__proto__') this.refuse('a member named __proto__', field);
    if (key === 'prototype' && this.#inConstructor) this.refuse('a member named constructor.prototype', field);
    return key;
  }

  #scanText(end: number, field: FieldPlan): void {
    const { bytes, pos } = this.reader;
    let high = 0;
    for (let at = pos; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === 0) this.refuse('contains U+0000', field);
      high |= byte;
    }
    if (high > 0x7f && !isUtf8(bytes.subarray(pos, end))) this.refuse('not valid UTF-8', field);
    this.reader.pos = end;
  }

  #scanEnum(field: FieldPlan & { kind: 'enum' }, end: number): void {
    const value = this.reader.int32(end);
    if (field.enum.value[value]) return;
    this.refuse(`unknown value; known: ${field.enum.values.map(({ name }) => name).join(', ')}`, field);
  }

  #scanRange(first: bigint, last: bigint, end: number): void {
    const value = this.reader.int64(end);
    if (value < first || value > last) this.refuse('not a point in time between the years 1 and 9999');
  }

  /** Runs `scan` with the field's name on the path. What lies inside a google.protobuf type has no name in JSON. */
  #within(field: FieldPlan, index: number, scan: () => void): void {
    if (!field.named) return scan();
    this.#path.push(field.repeated ? `${field.name}[${index}]` : field.name);
    scan();
    this.#path.pop();
  }

  #countNode(): void {
    if (++this.#nodes > this.limits.maxNodes) this.refuse(`more than ${this.limits.maxNodes} members and elements`);
  }

  refuse(description: string, field?: FieldPlan): never {
    const path = field?.named ? [...this.#path, field.name] : this.#path;
    throw InvalidParamsError.of(path.join('.') || 'request', description);
  }
}
