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
}

/** The caller of an agent that asks for no credentials. */
export const ANONYMOUS: Principal = Object.freeze({ owner: 'anonymous', authenticated: false, scopes: new Set<string>() });
