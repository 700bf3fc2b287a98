import { type Clock } from '@a2a/a2a-core';
import { CredentialsRefused } from '../security/outcome.js';
import { type ProviderHttp } from './provider-http.js';
import { DEFAULT_FRESHNESS, RefreshedDocument } from './refreshed-document.js';

/** Where an issuer keeps what tokens are checked against. */
export interface IssuerEndpoints {
  readonly jwksUri?: string;
  readonly introspectionUrl?: string;
}

/** Endpoints change seldom; an hour in the background is often enough. */
const FRESHNESS = { ...DEFAULT_FRESHNESS, refreshAfterMs: 3_600_000, waitAfterMs: 7_200_000 };

/**
 * An issuer's own description of itself: OpenID Connect Discovery or RFC 8414.
 *
 * The `issuer` in it has to be the configured one, to the letter (RFC 8414 §3.3), or the document is not believed.
 */
export class IssuerMetadata {
  readonly #document: RefreshedDocument<IssuerEndpoints>;

  constructor(url: string, issuer: string, http: ProviderHttp, clock: Clock) {
    this.#document = new RefreshedDocument(url, async () => toEndpoints(await http.getJson(url), issuer), clock, FRESHNESS);
  }

  /** @throws {CredentialsRefused} `unavailable` when the document cannot be had or does not name the endpoint */
  async get(endpoint: keyof IssuerEndpoints): Promise<string> {
    const endpoints = await this.#document.current().catch((error: unknown): IssuerEndpoints => {
      throw CredentialsRefused.unavailable('the metadata of the issuer cannot be had', error);
    });
    const url = endpoints[endpoint];
    if (url === undefined) throw CredentialsRefused.unavailable(`the metadata of the issuer names no ${endpoint}`);
    return url;
  }
}

/** Where RFC 8414 §3.1 puts the metadata of an issuer: before its path. */
export function oauthMetadataUrl(issuer: string): string {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, '');
  return `${url.origin}/.well-known/oauth-authorization-server${path}`;
}

function toEndpoints(document: Record<string, unknown>, issuer: string): IssuerEndpoints {
  if (document['issuer'] !== issuer) throw new Error(`The metadata is that of another issuer than ${issuer}`);
  return { jwksUri: toHttpUrl(document['jwks_uri']), introspectionUrl: toHttpUrl(document['introspection_endpoint']) };
}

function toHttpUrl(value: unknown): string | undefined {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined;
}
