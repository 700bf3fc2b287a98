/** A caller as one scheme verified it. */
export interface VerifiedIdentity {
  /** What kind of name this is: `token`, `api-key`, `basic`, `certificate`, or a word of the scheme's own. Keeps equal names apart. */
  readonly realm: string;
  /** Who vouches for the subject. */
  readonly issuer: string;
  /** Never reassigned by the issuer; it is part of the key everything the caller makes is stored under. */
  readonly subject: string;
  readonly clientId?: string;
  /** The owner is this subject through this client, not the subject alone. Default false. */
  readonly ownedByClient?: boolean;
  readonly displayName?: string;
  readonly scopes: readonly string[];
  /** Tenants the caller belongs to. Default: none. */
  readonly tenants?: readonly string[];
  /** Whom the credential is meant for; undefined when it cannot say. */
  readonly audiences?: readonly string[];
  /** Unix epoch, milliseconds. */
  readonly expiresAtMs?: number;
  /** SHA-256 thumbprint, base64url, of the only certificate this credential may come with (RFC 8705 §3.1). */
  readonly boundToCertificate?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Credentials that did not open the door, and why. `reason` is for the log and names no secret. */
export type CredentialsFailure =
  /** Expired, unknown, forged, or meant for somebody else. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Not even readable. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** Readable and perhaps right, but never from there: a cookie sent by a foreign page. */
  | { readonly kind: 'forbidden'; readonly reason: string }
  /** Too many failures from this address. */
  | { readonly kind: 'limited'; readonly reason: string; readonly retryAfterSeconds: number }
  /** Nobody can tell right now. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly cause?: unknown };

/** What one scheme says of one call. */
export type Outcome = { readonly kind: 'verified'; readonly identity: VerifiedIdentity } | { readonly kind: 'absent' } | CredentialsFailure;

/** What a strategy throws, or hands to `fail` or `error`, when it knows precisely what is wrong. */
export class CredentialsRefused extends Error {
  constructor(readonly failure: CredentialsFailure) {
    super(failure.reason, { cause: 'cause' in failure ? failure.cause : undefined });
    this.name = 'CredentialsRefused';
  }

  static invalid(reason: string): CredentialsRefused {
    return new CredentialsRefused({ kind: 'invalid', reason });
  }

  static malformed(reason: string): CredentialsRefused {
    return new CredentialsRefused({ kind: 'malformed', reason });
  }

  static unavailable(reason: string, cause?: unknown): CredentialsRefused {
    return new CredentialsRefused({ kind: 'unavailable', reason, cause });
  }
}
