import { WireError } from '../../support/clients/a2a-client.js';
import { type Wire } from './limited-host.js';

type Kind = 'invalid' | 'too large' | 'too much' | 'full';

/** As docs/limits.md has it: the code, and the HTTP status where the wire has both. */
const REFUSALS: Readonly<Record<Kind, Readonly<Record<Wire, readonly [code: number, httpStatus?: number]>>>> = {
  invalid: { JSONRPC: [-32602, 200], 'HTTP+JSON': [400, 400], GRPC: [3] },
  'too large': { JSONRPC: [-32600, 413], 'HTTP+JSON': [413, 413], GRPC: [8] },
  'too much': { JSONRPC: [-32603, 429], 'HTTP+JSON': [429, 429], GRPC: [8] },
  full: { JSONRPC: [-32004, 200], 'HTTP+JSON': [400, 400], GRPC: [9] },
};

/** Waits for a call to be refused as its wire says it, and hands out the error. */
export async function refusalOf(wire: Wire, kind: Kind, call: Promise<unknown>): Promise<WireError> {
  const error: unknown = await call.then(
    () => new Error('The call was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof WireError)) throw error;
  expect([error.code, error.httpStatus]).toEqual([...REFUSALS[kind][wire], ...(wire === 'GRPC' ? [undefined] : [])]);
  if (kind === 'too much') expect(error.detail('RetryInfo')?.retryDelay).toMatch(/^[1-9]\d*s$/);
  return error;
}
