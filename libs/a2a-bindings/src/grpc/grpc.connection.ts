import { randomUUID } from 'node:crypto';
import { type ServerInterceptingCallInterface } from '@grpc/grpc-js';

const NAMES = new WeakMap<object, string>();

/**
 * An unguessable name of the connection a call came in on: the same for all its calls, never used again for another.
 *
 * grpc-js shows addresses only, and a port may soon belong to somebody else. The HTTP/2 session behind the call is the one thing that lives
 * exactly as long as the connection; a grpc-js that hides it yields undefined.
 */
export function connectionIdOf(call: ServerInterceptingCallInterface): string | undefined {
  const session = (call as { stream?: { session?: unknown } }).stream?.session;
  if (typeof session !== 'object' || session === null) return undefined;
  let name = NAMES.get(session);
  if (!name) NAMES.set(session, (name = randomUUID()));
  return name;
}
