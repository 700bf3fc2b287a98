import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidParamsError } from '../protocol/errors.js';

/**
 * Cursors as clients see them: opaque, and of no use to anybody else.
 *
 * A token is sealed with HMAC-SHA-256 over the cursor and everything it is bound to (caller, tenant, agent, filters). What is foreign,
 * forged or malformed gets one and the same error (A2A §3.1.4).
 */
export class PageTokens {
  constructor(private readonly key: Uint8Array) {}

  seal(cursor: readonly (string | number)[], boundTo: readonly unknown[]): string {
    const body = Buffer.from(JSON.stringify(cursor));
    return Buffer.concat([this.#mac(body, boundTo), body]).toString('base64url');
  }

  /** @throws {InvalidParamsError} when this token was not sealed for this */
  open(token: string, boundTo: readonly unknown[]): readonly (string | number)[] {
    const bytes = Buffer.from(token, 'base64url');
    const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
    if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, this.#mac(body, boundTo))) {
      throw InvalidParamsError.of('pageToken', 'invalid page token');
    }
    return JSON.parse(body.toString()) as (string | number)[];
  }

  #mac(body: Uint8Array, boundTo: readonly unknown[]): Buffer {
    const mac = createHmac('sha256', this.key).update(JSON.stringify(boundTo)).update('\n').update(body);
    return mac.digest().subarray(0, MAC_BYTES);
  }
}

const MAC_BYTES = 16;
