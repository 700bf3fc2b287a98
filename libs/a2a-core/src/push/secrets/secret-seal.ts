import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type HostKey } from './host-keys.js';
import { type PushRef } from '../configs/push-config.repository.js';

/** What a client gave to be recognised by. */
export interface WebhookSecrets {
  readonly token?: string;
  readonly credentials?: string;
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals the secrets of a config with AES-256-GCM as `v1.<key id>.<iv>.<text>.<tag>`.
 *
 * What was sealed opens for the same agent, tenant, owner, task, config and URL only: a row that is moved, or whose URL is changed, is
 * worth nothing. The key belongs to the tenant.
 */
export class SecretSeal {
  constructor(private readonly keys: readonly [HostKey, ...HostKey[]]) {}

  seal(ref: PushRef, url: string, secrets: WebhookSecrets): string {
    const [key] = this.keys;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, key.sealing(ref.scope.tenant), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(ref, url));
    const text = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
    const parts = [iv, text, cipher.getAuthTag()].map((bytes) => bytes.toString('base64url'));
    return [VERSION, key.sealId, ...parts].join('.');
  }

  /** @throws {Error} when this was not sealed here for this config and URL, or the key is gone */
  open(ref: PushRef, url: string, sealed: string): WebhookSecrets {
    const [version, sealId, ...parts] = sealed.split('.');
    const [iv, text, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
    const key = this.keys.find((known) => known.sealId === sealId);
    if (version !== VERSION || !key || !iv || !text || tag?.length !== TAG_BYTES) throw new Error('Sealed with an unknown key or form');
    const decipher = createDecipheriv(CIPHER, key.sealing(ref.scope.tenant), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(ref, url)).setAuthTag(tag);
    return JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString()) as WebhookSecrets;
  }
}

function boundTo({ scope, taskId, configId }: PushRef, url: string): Buffer {
  return Buffer.from(JSON.stringify([scope.tenant, scope.agentId, scope.owner, taskId, configId, url]));
}
