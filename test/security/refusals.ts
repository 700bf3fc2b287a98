import { type Wire } from '../conformance/conformance-host.js';
import { errorOf } from '../conformance/requests.js';

/** HTTP status, if there is one, and code of the wire, for each refusal by its name in the attack table. */
const REFUSALS = {
  A401: { JSONRPC: [401, -31401], 'HTTP+JSON': [401, 401], GRPC: [undefined, 16] },
  A403: { JSONRPC: [403, -31403], 'HTTP+JSON': [403, 403], GRPC: [undefined, 7] },
  NF: { JSONRPC: [200, -32001], 'HTTP+JSON': [404, 404], GRPC: [undefined, 5] },
  BAD: { JSONRPC: [200, -32602], 'HTTP+JSON': [400, 400], GRPC: [undefined, 3] },
  /** The request could not be read at all, so that it is not JSON-RPC's to answer with 200. */
  UNREADABLE: { JSONRPC: [400, -32600], 'HTTP+JSON': [400, 400], GRPC: [undefined, 3] },
  RL: { JSONRPC: [429, -32603], 'HTTP+JSON': [429, 429], GRPC: [undefined, 8] },
  UN: { JSONRPC: [503, -32603], 'HTTP+JSON': [503, 503], GRPC: [undefined, 14] },
} as const;

/** The refusal that a call ends with; status and code for one that has no name. */
export async function refusalOf(call: Promise<unknown>, wire: Wire): Promise<string> {
  const { httpStatus, code } = await errorOf(call);
  const found = Object.entries(REFUSALS).find(([, { [wire]: expected }]) => expected[0] === httpStatus && expected[1] === code);
  return found?.[0] ?? `${httpStatus} ${code}`;
}
