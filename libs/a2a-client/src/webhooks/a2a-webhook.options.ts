import { type JsonWebKey } from 'node:crypto';

/** Where the public keys of senders are. */
export type WebhookKeySource =
  /** A2A hosts of this platform publish them at `/.well-known/webhook-keys.json`. */
  | { readonly jwksUrl: string }
  /** JWKs of ed25519 keys, or `whpk_…` as Standard Webhooks writes them. */
  | { readonly pinned: readonly (JsonWebKey | string)[] };

/** What `A2aWebhookModule.forRoot` takes. */
export interface A2aWebhookOptions {
  /** Where updates are taken, such as `hooks/a2a`. Default: nowhere; `WebhookGuard` then guards a controller of your own. */
  readonly path?: string;
  /** Every delivery must be signed with one of these keys. Default: signatures are not looked at. */
  readonly keys?: WebhookKeySource;
  /** Deliveries that say they are older, or younger than now, are refused. Seconds, default 300. */
  readonly maxAgeSeconds?: number;
  /** Largest update that is read. Bytes, default 16 MiB. */
  readonly maxBytes?: number;
}

/** Where the options are injected. */
export const A2A_WEBHOOK_OPTIONS = Symbol('A2aWebhookOptions');

export const DEFAULT_MAX_AGE_SECONDS = 300;
export const DEFAULT_MAX_BYTES = 16 * 1_024 * 1_024;
