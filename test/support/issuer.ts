import { IdentityProvider, type SigningKey } from './identity-provider.js';

export { type SigningKey };

/** What a test says of a caller; the rest of a token is made up. A claim set to undefined is left out. */
export type TokenClaims = Readonly<Record<string, unknown>> & {
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly scope?: string;
  readonly tenants?: readonly string[];
};

/** An identity provider on 127.0.0.1 for whole hosts: discovery, keys, introspection, and tokens by the clock of this machine. */
export class Issuer {
  private constructor(readonly provider: IdentityProvider) {}

  static async start(): Promise<Issuer> {
    return new Issuer(await IdentityProvider.start());
  }

  get url(): string {
    return this.provider.issuer;
  }

  get jwksUri(): string {
    return this.provider.jwksUri;
  }

  /** An access token (RFC 9068) that is good for five minutes. */
  token(claims: TokenClaims = {}, header: Readonly<Record<string, unknown>> = {}, key?: SigningKey): Promise<string> {
    return this.provider.token(nowSeconds(), claims, header, key ?? this.provider.keys[0]);
  }

  stop(): Promise<void> {
    return this.provider.stop();
  }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
