import { hash } from 'node:crypto';

/** A name for an owner in logs and audit records: tells owners apart, and leads back to none of them by itself. */
export function ownerDigest(owner: string): string {
  return hash('sha256', owner, 'hex').slice(0, 12);
}
