import { createHash, createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

/** More signatures than any rotation needs. */
const MAX_SIGNATURES = 16;
const SHARED_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** What a delivery says of itself, as Standard Webhooks has it. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** Value of `webhook-signature`: versions and base64, separated by spaces. */
  readonly signatures: string;
}

/** One of the signatures was made with one of the ed25519 keys (`v1a`). */
export function isSignedWith(keys: readonly KeyObject[], signed: SignedContent): boolean {
  const content = contentOf(signed);
  return signaturesOf(signed, 'v1a').some((signature) => keys.some((key) => verify(null, content, key, signature)));
}

/** One of the signatures was made with the shared secret (`v1`). */
export function isSignedWithSecret(secret: string, signed: SignedContent): boolean {
  const encoded = SHARED_SECRET.exec(secret)?.[1];
  if (!encoded) return false;
  const mac = createHmac('sha256', Buffer.from(encoded, 'base64')).update(contentOf(signed)).digest();
  return signaturesOf(signed, 'v1').some((signature) => isEqual(signature, mac));
}

export function isSharedSecret(token: string): boolean {
  return SHARED_SECRET.test(token);
}

/** Takes the same time whatever the difference is. */
export function isEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const digest = (value: string | Uint8Array): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function contentOf({ id, timestamp, body }: SignedContent): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}

function signaturesOf({ signatures }: SignedContent, version: string): Buffer[] {
  const entries = signatures.split(' ').slice(0, MAX_SIGNATURES);
  return entries.filter((entry) => entry.startsWith(`${version},`)).map((entry) => Buffer.from(entry.slice(version.length + 1), 'base64'));
}
