import { type JsonObject } from '@bufbuild/protobuf';
import { type JWK } from 'jose';
import { AgentCardVerifier, type CardTrust } from '../src/index.js';
import { type JwsCardSigner } from '../src/cards/jws-card.signer.js';
import { LoopbackHttp } from '../../../test/support/loopback-http.js';
import { FakeClock } from './support/fake-clock.js';
import { CARD, jwkOf, makeKey, message, served, signed, signerOf } from './support/signed-cards.js';

const key = makeKey();
const source = { jwk: jwkOf(key) };

describe('verifying with known keys [SIGN-11, SIGN-13]', () => {
  const trust = (signer: JwsCardSigner, more: Partial<CardTrust> = {}): AgentCardVerifier =>
    new AgentCardVerifier({ keys: signer.publicKeys, ...more });

  it('accepts the card as served, and says by which key', async () => {
    const { card, signer } = await signed([{ source }]);
    const { kid, alg } = await trust(signer).verify(card);
    expect({ kid, alg }).toEqual({ kid: signer.publicKeys[0]?.kid, alg: 'ES256' });
  });

  it('accepts another order of members and implicit defaults spelled out', async () => {
    const { card, signer } = await signed([{ source }]);
    const reordered = Object.fromEntries(Object.entries(card).toReversed()) as JsonObject;
    const spelled = {
      ...reordered,
      securitySchemes: { ...(card['securitySchemes'] as JsonObject), mtls: { mtlsSecurityScheme: { description: '' } } },
    };
    await expect(trust(signer).verify(spelled)).resolves.toBeDefined();
  });

  it('needs one good signature among several', async () => {
    const { card, signer } = await signed([{ source: { jwk: jwkOf(makeKey()) } }, { source }]);
    const known = signer.publicKeys.filter(({ kid }) => kid === signer.publicKeys[1]?.kid);
    await expect(new AgentCardVerifier({ keys: known }).verify(card)).resolves.toBeDefined();
  });

  it('gives up after five', async () => {
    const { card, signer } = await signed([{ source }]);
    const [good] = card['signatures'] as JsonObject[];
    const noise = Array.from({ length: 5 }, () => ({ protected: 'eyJ9', signature: 'AA' }));
    await expect(trust(signer).verify({ ...card, signatures: [...noise, good!] })).rejects.toThrow('No signature');
  });

  it('trusts nobody by default, and no card without signatures', async () => {
    const { card, signer } = await signed([{ source }]);
    await expect(new AgentCardVerifier({}).verify(card)).rejects.toThrow('is not trusted');
    await expect(trust(signer).verify(CARD)).rejects.toThrow('it has none');
  });

  it.each<[string, Record<string, unknown>]>([
    ['expired', { exp: 1_000 }],
    ['not good yet', { nbf: 99_999_999_999 }],
    ['revoked', { revoked: { revoked_at: 1 } }],
    ['for another algorithm', { alg: 'ES384' }],
    ['symmetric', { kty: 'oct', k: 'AA', alg: undefined }],
  ])('uses no key that is %s [SIGN-12]', async (_name, more) => {
    const { card, signer } = await signed([{ source }]);
    const keys = signer.publicKeys.map((jwk) => ({ ...jwk, ...more }) as JWK);
    await expect(new AgentCardVerifier({ keys, clock: new FakeClock() }).verify(card)).rejects.toThrow('No signature');
  });

  it('can cut what it does not know, and then returns only what was signed [SIGN-15]', async () => {
    const { card, signer } = await signed([{ source }]);
    const verified = await trust(signer, { unknownMembers: 'cut' }).verify({ ...card, trustMe: true });
    expect(verified.card['trustMe']).toBeUndefined();
    expect(verified.card['name']).toBe(CARD['name']);
  });
});

describe('verifying with keys from jku [SIGN-14]', () => {
  /** Answers as `https://keys.example.com` would; the test's own network has no TLS. */
  class KeysAt extends LoopbackHttp {
    readonly asked: string[] = [];

    constructor(private readonly keys: () => readonly JWK[]) {
      super();
    }

    override async get(url: string) {
      this.asked.push(url);
      return { status: 200, headers: new Map<string, string>(), body: new TextEncoder().encode(JSON.stringify({ keys: this.keys() })) };
    }
  }

  async function withJku(jku: string, trust: Partial<CardTrust> = {}) {
    const signer = await signerOf({ keys: [{ source }], jku });
    const unsigned = message();
    const card = served({ ...unsigned, signatures: [...(await signer.sign(unsigned))] });
    const http = new KeysAt(() => signer.publicKeys);
    const clock = new FakeClock();
    return { card, http, clock, verifier: new AgentCardVerifier({ http, clock, jkuOrigins: ['https://keys.example.com'], ...trust }) };
  }

  it('believes an origin that was named, and fetches once', async () => {
    const { card, http, verifier } = await withJku('https://keys.example.com/jwks.json');
    await verifier.verify(card);
    expect(await verifier.verify(card)).toMatchObject({ jku: 'https://keys.example.com/jwks.json' });
    expect(http.asked).toEqual(['https://keys.example.com/jwks.json']);
  });

  it.each([
    'https://keys.example.com.evil.example/jwks.json',
    'https://keys.example.com@evil.example/jwks.json',
    'https://user@keys.example.com/jwks.json',
    'http://keys.example.com/jwks.json',
    'https://keys.example.com:8443/jwks.json',
    'file:///etc/keys.example.com',
    'not a url',
  ])('asks nothing of %s', async (jku) => {
    const { card, http, verifier } = await withJku(jku);
    await expect(verifier.verify(card)).rejects.toThrow('is not trusted');
    expect(http.asked).toEqual([]);
  });
});
