import { type BindingName, type CallSeed } from '@a2a/a2a-core';
import { parseCookies } from './cookies.js';
import { type ClientCertificate, type ClientCertificateReader } from './client-certificate.js';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * A call as schemes see it: the parts of an Express request that passport strategies look at, the same on every wire.
 *
 * There is no body: credentials are judged before one is read.
 */
export interface AuthRequest {
  readonly binding: BindingName;
  /** Names in lower case. */
  readonly headers: Values;
  /** First value of each request parameter, names as sent. */
  readonly query: Values;
  readonly cookies: Values;
  /** The wire has request parameters at all; gRPC has none. */
  readonly hasParameters: boolean;
  /** Carriers that came more than once, as `carrierKey` writes them. */
  readonly repeated: ReadonlySet<string>;
  /** What the peer proved to hold, directly or through a trusted proxy. */
  readonly certificate?: ClientCertificate;
  readonly remoteAddress?: string;
  /** Express's way to read a header. */
  get(name: string): string | undefined;
}

export type Place = 'header' | 'query' | 'cookie';

/** One place credentials can stand in, as a set member. */
export function carrierKey(place: Place, name: string): string {
  return `${place}:${place === 'header' ? name.toLowerCase() : name}`;
}

/** Reads a seed once for all schemes. */
export function toAuthRequest(seed: CallSeed, certificates: ClientCertificateReader): AuthRequest {
  const headers = toRecord(seed.headers);
  const { cookies, repeated } = parseCookies(headers['cookie']);
  return {
    binding: seed.binding,
    headers,
    query: toRecord(mapValues(seed.query ?? new Map(), (values) => values[0])),
    cookies,
    hasParameters: seed.query !== undefined,
    repeated: new Set([
      ...[...(seed.repeatedHeaders ?? [])].map((name) => carrierKey('header', name)),
      ...[...(seed.query ?? [])].filter(([, values]) => values.length > 1).map(([name]) => carrierKey('query', name)),
      ...repeated.map((name) => carrierKey('cookie', name)),
    ]),
    certificate: certificates.read(seed),
    remoteAddress: seed.remoteAddress,
    get: (name) => headers[name.toLowerCase()],
  };
}

/** Without a prototype, so that no parameter called `__proto__` or `constructor` means anything. */
function toRecord(values: ReadonlyMap<string, string | undefined>): Record<string, string | undefined> {
  return Object.assign(Object.create(null) as Record<string, string | undefined>, Object.fromEntries(values));
}

function mapValues<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
