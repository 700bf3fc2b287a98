/**
 * Who makes a call. `owner` is the key everything the caller makes is stored under; it never changes for one identity and two
 * identities never share it.
 */
export interface Principal {
  /** Opaque ownership key, at most 128 characters. */
  readonly owner: string;
  readonly authenticated: boolean;
  /** For people and logs; no secret. */
  readonly displayName?: string;
  readonly scopes: ReadonlySet<string>;
  /** Tenants the caller may act in; undefined when the host has no tenants. */
  readonly tenants?: ReadonlySet<string>;
  /** Unix epoch, milliseconds; streams end then. */
  readonly expiresAtMs?: number;
  /** Who vouches for the caller: the token's issuer, or a name of the host's own. */
  readonly issuer?: string;
  /** The caller's name at the issuer. */
  readonly subject?: string;
  /** The program through which the caller calls. */
  readonly clientId?: string;
  /** Schemes whose credentials held, each with the scopes it granted. Plain data, so a turn that runs later can still be judged. */
  readonly grants?: ReadonlyMap<string, ReadonlySet<string>>;
  /** What the credentials say of the caller, verified. No secret, and never the credential itself. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The caller of an agent that asks for no credentials. */
export const ANONYMOUS: Principal = Object.freeze({ owner: 'anonymous', authenticated: false, scopes: new Set<string>() });
