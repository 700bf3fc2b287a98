import { Injectable } from '@nestjs/common';
import { Clock, OutboundHttp } from '@a2a/a2a-core';
import { IssuerMetadata } from './issuer-metadata.js';
import { JwksSource } from './jwks-source.js';

/** The documents of identity providers, one of each for the whole host, however many schemes and agents trust them. */
@Injectable()
export class IdentityProviders {
  readonly #keySets = new Map<string, JwksSource>();
  readonly #metadata = new Map<string, IssuerMetadata>();

  constructor(
    readonly http: OutboundHttp,
    readonly clock: Clock,
  ) {}

  keySet(url: string): JwksSource {
    return getOrMake(this.#keySets, url, () => new JwksSource(url, this.http, this.clock));
  }

  metadata(url: string, issuer: string): IssuerMetadata {
    return getOrMake(this.#metadata, JSON.stringify([url, issuer]), () => new IssuerMetadata(url, issuer, this.http, this.clock));
  }

  /**
   * Forgets every key of every issuer and fetches them once, for a key that must die now.
   *
   * @throws {AggregateError} when some issuers did not answer; their old keys are forgotten all the same
   */
  async reloadKeys(): Promise<void> {
    const results = await Promise.allSettled([...this.#keySets.values()].map((source) => source.reload()));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (reasons.length > 0) throw new AggregateError(reasons, 'Not all key sets could be fetched again');
  }
}

function getOrMake<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  return made;
}
