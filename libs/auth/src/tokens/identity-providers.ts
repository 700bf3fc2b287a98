import { Injectable } from '@nestjs/common';
import { Clock, OutboundHttp } from '@a2a/a2a-core';
import { A2aAuthOptions } from '../auth.options.js';
import { IssuerMetadata } from './issuer-metadata.js';
import { JwksSource } from './jwks-source.js';
import { ProviderHttp } from './provider-http.js';

/** The documents of identity providers, one of each for the whole host, however many schemes and agents trust them. */
@Injectable()
export class IdentityProviders {
  readonly #keySets = new Map<string, JwksSource>();
  readonly #metadata = new Map<string, IssuerMetadata>();

  constructor(
    private readonly outbound: OutboundHttp,
    readonly clock: Clock,
    private readonly options: A2aAuthOptions,
  ) {}

  /** The way to the provider that the operator wrote down as `configuredUrl`. */
  http(configuredUrl: string): ProviderHttp {
    return new ProviderHttp(this.outbound, configuredUrl, this.options.identityProviders);
  }

  /** @param configuredUrl what the operator wrote down, where `url` was found by way of it. Default: `url` itself */
  keySet(url: string, configuredUrl = url): JwksSource {
    const key = JSON.stringify([url, configuredUrl]);
    return getOrMake(this.#keySets, key, () => new JwksSource(url, this.http(configuredUrl), this.clock));
  }

  metadata(url: string, issuer: string): IssuerMetadata {
    return getOrMake(this.#metadata, JSON.stringify([url, issuer]), () => new IssuerMetadata(url, issuer, this.http(url), this.clock));
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
