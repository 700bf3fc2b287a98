import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Asked by address, not by name: an orchestrator probes the machine it started. */
const FOR_ALL_NAMES = /^\/health(\/|$)/;

const BODY = JSON.stringify({
  error: {
    code: 421,
    status: 'INVALID_ARGUMENT',
    message: 'This host does not answer to that name',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'MISDIRECTED_REQUEST', domain: 'a2a-nest' }],
  },
});

/**
 * Names that requests may have in `Host`. Whoever points a name of his own at this host, to have it serve his pages or to reach it from a
 * browser past its network, gets 421 (RFC 9110 §15.5.20).
 */
export class HostAllowList {
  readonly #names?: ReadonlySet<string>;

  /** @param names lower case, with or without a port; undefined for every name */
  constructor(names: readonly string[] | undefined) {
    this.#names = names && new Set(names);
  }

  allows({ url = '/', headers: { host = '' } }: IncomingMessage): boolean {
    if (!this.#names || FOR_ALL_NAMES.test(url)) return true;
    const name = host.toLowerCase();
    return this.#names.has(name) || this.#names.has(name.replace(/:\d+$/, ''));
  }

  /** Answers and closes the connection; the body of the request is not read. */
  refuse(response: ServerResponse): void {
    response.writeHead(421, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY), connection: 'close' });
    response.end(BODY);
  }
}
