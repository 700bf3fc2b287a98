import { createHmac, sign } from 'node:crypto';
import { type HostKey, type WebhookJwk } from './host-keys.js';

/** A token of this form is a Standard Webhooks secret: it signs, and is never sent. */
const SHARED_SECRET = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

/** The public keys with which this host's webhooks can be verified, as served at `/.well-known/webhook-keys.json`. */
export abstract class WebhookKeys {
  abstract readonly jwks: { readonly keys: readonly WebhookJwk[] };
}

/**
 * Signs deliveries as Standard Webhooks says: ed25519 (`v1a`) with every key of the host, so that a rotation breaks no receiver that
 * pinned the older one, and HMAC-SHA256 (`v1`) when the client gave a `whsec_` secret as its token.
 */
export class WebhookSigner extends WebhookKeys {
  constructor(private readonly keys: readonly HostKey[]) {
    super();
  }

  get jwks(): { readonly keys: readonly WebhookJwk[] } {
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }

  /** Value of `webhook-signature`. */
  sign(id: string, timestampSeconds: number, body: string, token?: string): string {
    const content = Buffer.from(`${id}.${timestampSeconds}.${body}`);
    const signatures = this.keys.map(({ signing }) => `v1a,${sign(null, content, signing).toString('base64')}`);
    const shared = sharedSecretIn(token);
    if (shared) signatures.push(`v1,${createHmac('sha256', shared).update(content).digest('base64')}`);
    return signatures.join(' ');
  }
}

/** The bytes of a `whsec_` token; undefined for a token of another form. */
export function sharedSecretIn(token: string | undefined): Buffer | undefined {
  const encoded = token && SHARED_SECRET.exec(token)?.[1];
  return encoded ? Buffer.from(encoded, 'base64') : undefined;
}
