/** Wire types of the protobuf encoding. Groups (3 and 4) are not among them: proto3 has none. */
export const WireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** The bytes are no protobuf encoding of anything. */
export class MalformedEncoding extends Error {}

/**
 * Walks over protobuf bytes. Every read stays before the `end` it is given, so a length that reaches out of its message is an error.
 *
 * @throws {MalformedEncoding} from every method
 */
export class WireReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  pos = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Low 32 bits of a varint, signed. */
  int32(end: number): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte(end);
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new MalformedEncoding();
  }

  int64(end: number): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte(end);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new MalformedEncoding();
  }

  double(end: number): number {
    return this.#view.getFloat64(this.#forward(8, end), true);
  }

  /** Reads a length. @returns where the bytes that it measures end */
  lengthEnd(end: number): number {
    const length = this.int32(end) >>> 0;
    if (length > end - this.pos) throw new MalformedEncoding();
    return this.pos + length;
  }

  skip(wireType: number, end: number): void {
    switch (wireType) {
      case WireType.varint:
        this.int32(end);
        return;
      case WireType.fixed64:
        this.#forward(8, end);
        return;
      case WireType.bytes:
        this.pos = this.lengthEnd(end);
        return;
      case WireType.fixed32:
        this.#forward(4, end);
        return;
      default:
        throw new MalformedEncoding();
    }
  }

  #byte(end: number): number {
    const byte = this.pos < end ? this.bytes[this.pos++] : undefined;
    if (byte === undefined) throw new MalformedEncoding();
    return byte;
  }

  /** @returns where the skipped bytes begin */
  #forward(count: number, end: number): number {
    if (count > end - this.pos) throw new MalformedEncoding();
    this.pos += count;
    return this.pos - count;
  }
}
