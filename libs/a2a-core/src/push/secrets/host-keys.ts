import { createPrivateKey, createPublicKey, hkdfSync, createHash, type KeyObject } from 'node:crypto';

const SEAL_SALT = 'a2a-push-v1';
const SIGN_SALT = 'a2a-webhook-signature-v1';

/** PKCS #8 wrapping of an ed25519 seed (RFC 8410 §7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A public key as receivers get it (RFC 8037). */
export interface WebhookJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** The keys that follow from one secret of the host. Names of keys follow from it too, so there are none to administer. */
export class HostKey {
  /** Names the sealing key in what it sealed. */
  readonly sealId: string;
  readonly signing: KeyObject;
  readonly jwk: WebhookJwk;

  constructor(private readonly secret: string) {
    this.sealId = createHash('sha256')
      .update(derive(secret, SEAL_SALT, 'key id'))
      .digest('base64url')
      .slice(0, 8);
    const seed = derive(secret, SIGN_SALT, 'ed25519');
    this.signing = createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' });
    const { x = '' } = createPublicKey(this.signing).export({ format: 'jwk' });
    const kid = createHash('sha256')
      .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url');
    this.jwk = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
  }

  /** One key a tenant. */
  sealing(tenant: string): Buffer {
    return derive(this.secret, SEAL_SALT, `tenant ${tenant}`);
  }
}

/** The keys of this host, newest first. */
export function hostKeys(secret: string, previous: readonly string[]): readonly [HostKey, ...HostKey[]] {
  return [new HostKey(secret), ...previous.map((older) => new HostKey(older))];
}

function derive(secret: string, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, 32));
}
