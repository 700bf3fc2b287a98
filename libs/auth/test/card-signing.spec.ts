import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentCard as SdkCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { create, fromJson, type JsonObject, toJson } from '@bufbuild/protobuf';
import { calculateJwkThumbprint, FlattenedSign, type JWK } from 'jose';
import { type AgentCard, AgentCardSchema, AgentCardSignatureSchema, messageToJson } from '@a2a/a2a-core';
import { type A2aAuthOptions, AgentCardVerifier, type CardKeyOptions, type CardTrust } from '../src/index.js';
import { cardPayload } from '../src/cards/card-payload.js';
import { JwsCardSigner } from '../src/cards/jws-card.signer.js';
import { FakeClock } from './support/fake-clock.js';
import { LoopbackHttp } from '../../../test/support/loopback-http.js';

const KINDS = {
  ES256: ['ec', { namedCurve: 'P-256' }],
  ES384: ['ec', { namedCurve: 'P-384' }],
  EdDSA: ['ed25519', {}],
  RS256: ['rsa', { modulusLength: 2_048 }],
} as const;

function makeKey(kind: keyof typeof KINDS = 'ES256'): KeyObject {
  const [type, options] = KINDS[kind];
  return (generateKeyPairSync as (type: string, options: object) => { privateKey: KeyObject })(type, options).privateKey;
}

const jwkOf = (key: KeyObject): JWK => key.export({ format: 'jwk' }) as JWK;

/** Every kind of scheme, extensions with parameters, every optional member, and text beyond ASCII. */
const CARD: JsonObject = {
  name: 'Agent für alles €',
  description: 'Antwortet auf 質問 🤖',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://agents.example.com/agents/x', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'x' }],
  provider: { organization: 'Beispiel GmbH', url: 'https://example.com' },
  documentationUrl: 'https://example.com/docs',
  iconUrl: 'https://example.com/icon.png',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'urn:x', description: 'x', required: true, params: { allow: ['a'], mode: 'strict', depth: 1.5, off: false } }],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key', description: 'clé' } },
    basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    code: {
      oauth2SecurityScheme: {
        oauth2MetadataUrl: 'https://as.example/m',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://as.example/a',
            tokenUrl: 'https://as.example/t',
            scopes: { read: 'lire' },
            pkceRequired: true,
          },
        },
      },
    },
    client: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://as.example/t', scopes: { read: 'lesen' } } } } },
    device: {
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: 'https://as.example/d', tokenUrl: 'https://as.example/t', scopes: { read: 'r' } } },
      },
    },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://as.example/.well-known/openid-configuration' } },
    mtls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { mtls: {}, key: {} } }, { schemes: { code: { list: ['read'] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'Übersetzen', description: 'd', tags: ['t'], securityRequirements: [{ schemes: { bearer: {} } }] }],
};

const message = (card: JsonObject = CARD): AgentCard => fromJson(AgentCardSchema, card);
const served = (card: AgentCard): JsonObject => messageToJson(AgentCardSchema, card) as JsonObject;
const parse = (protectedHeader: string): unknown => JSON.parse(Buffer.from(protectedHeader, 'base64url').toString('utf8'));

async function signerOf(cardSigning: A2aAuthOptions['cardSigning']): Promise<JwsCardSigner> {
  const signer = new JwsCardSigner({ cardSigning });
  await signer.onModuleInit();
  return signer;
}

async function signed(keys: readonly CardKeyOptions[], card = CARD): Promise<{ card: JsonObject; signer: JwsCardSigner }> {
  const signer = await signerOf({ keys });
  const unsigned = message(card);
  return { card: served({ ...unsigned, signatures: [...(await signer.sign(unsigned))] }), signer };
}

describe('signed cards', () => {
  const key = makeKey();
  const source = { jwk: jwkOf(key) };

  describe('signing', () => {
    it('makes a flattened JWS without payload, with alg, typ, kid and jku protected [SIGN-09, SIGN-10]', async () => {
      const signer = await signerOf({ keys: [{ source, kid: 'key-1' }], jku: 'https://example.com/jwks.json' });
      const [signature, ...others] = await signer.sign(message());
      expect(others).toEqual([]);
      expect(parse(signature!.protected)).toEqual({ alg: 'ES256', typ: 'JOSE', kid: 'key-1', jku: 'https://example.com/jwks.json' });
      expect(Buffer.from(signature!.signature, 'base64url')).toHaveLength(64);
      expect(toJson(AgentCardSignatureSchema, signature!)).toEqual({ protected: signature!.protected, signature: signature!.signature });
    });

    it.each(['ES256', 'ES384', 'EdDSA', 'RS256'] as const)('holds for node:crypto alone: %s', async (kind) => {
      const privateKey = makeKey(kind);
      const { card } = await signed([{ source: { jwk: jwkOf(privateKey) } }]);
      const [{ protected: header, signature }] = card['signatures'] as [{ protected: string; signature: string }];
      const input = Buffer.from(`${header}.${Buffer.from(cardPayload(card)).toString('base64url')}`);
      const digest = { ES256: 'sha256', ES384: 'sha384', RS256: 'sha256', EdDSA: null }[kind];
      const publicKey = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' as const };
      expect(verify(digest, input, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
      expect(verify(digest, Buffer.concat([input, Buffer.from('x')]), publicKey, Buffer.from(signature, 'base64url'))).toBe(false);
      expect(parse(header)).toMatchObject({ alg: kind, kid: await calculateJwkThumbprint(jwkOf(createPublicKey(privateKey))) });
    });

    it('signs with every active key, and publishes retired ones beside them [SIGN-13]', async () => {
      const [next, retired] = [makeKey('EdDSA'), makeKey()];
      const signer = await signerOf({
        keys: [{ source }, { source: { jwk: jwkOf(next) } }],
        retiredKeys: [{ ...jwkOf(retired), kid: 'old' }],
      });
      expect(await signer.sign(message())).toHaveLength(2);
      expect(signer.publicKeys.map(({ kty }) => kty)).toEqual(['EC', 'OKP', 'EC']);
      expect(signer.publicKeys.every((jwk) => !('d' in jwk))).toBe(true);
    });

    it('signs nothing without keys', async () => {
      expect(await (await signerOf(undefined)).sign(message())).toEqual([]);
    });

    it('takes keys from a PEM file, a JWK file and the environment', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'card-keys-'));
      const files = { pem: join(folder, 'key.pem'), jwk: join(folder, 'key.json') };
      await writeFile(files.pem, key.export({ format: 'pem', type: 'pkcs8' }));
      await writeFile(files.jwk, JSON.stringify(jwkOf(key)));
      process.env['A2A_TEST_CARD_KEY'] = key.export({ format: 'pem', type: 'pkcs8' }) as string;
      const sources = [{ file: files.pem }, { file: files.jwk }, { env: 'A2A_TEST_CARD_KEY' }];
      const signers = await Promise.all(sources.map((from) => signerOf({ keys: [{ source: from }] })));
      expect(new Set(signers.map(({ publicKeys }) => publicKeys[0]?.kid)).size).toBe(1);
      delete process.env['A2A_TEST_CARD_KEY'];
      await rm(folder, { recursive: true });
    });

    it('names a source that does not work, and never what was in it', async () => {
      process.env['A2A_TEST_CARD_KEY'] = 'very-secret-and-no-key';
      const error = await signerOf({ keys: [{ source: { env: 'A2A_TEST_CARD_KEY' } }] }).catch((thrown: Error) => thrown);
      delete process.env['A2A_TEST_CARD_KEY'];
      expect(String(error)).toContain('the environment variable A2A_TEST_CARD_KEY is neither');
      expect(String(error)).not.toContain('very-secret');
      await expect(signerOf({ keys: [{ source: { env: 'A2A_TEST_CARD_KEY' } }] })).rejects.toThrow('which is not set');
      await expect(signerOf({ keys: [{ source }, { source }] })).rejects.toThrow('the same kid');
    });
  });

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

    describe('notices every change [E20]', () => {
      const mtls = { securityRequirements: [{ schemes: { mtls: {} } }] };
      const params = {
        capabilities: { ...(CARD['capabilities'] as JsonObject), extensions: [{ uri: 'urn:x', params: { allow: ['a'], mode: 'strict' } }] },
      };

      it.each<[string, JsonObject, (card: JsonObject) => JsonObject]>([
        ['the requirements are gone', mtls, (card) => without(card, 'securityRequirements')],
        ['another scheme is asked', mtls, (card) => ({ ...card, securityRequirements: [{ schemes: { key: {} } }] })],
        ['an AND is gone', {}, (card) => ({ ...card, securityRequirements: (card['securityRequirements'] as JsonObject[]).slice(1) })],
        [
          'half of an AND is gone',
          {},
          (card) => ({
            ...card,
            securityRequirements: [{ schemes: { key: {} } }, ...(card['securityRequirements'] as JsonObject[]).slice(1)],
          }),
        ],
        ['a scheme is gone', {}, (card) => ({ ...card, securitySchemes: { ...(card['securitySchemes'] as JsonObject), mtls: {} } })],
        [
          'parameters are emptied',
          params,
          (card) => ({
            ...card,
            capabilities: { ...(card['capabilities'] as JsonObject), extensions: [{ uri: 'urn:x', params: { allow: [], mode: '' } }] },
          }),
        ],
        ['a member nobody knows is added', {}, (card) => ({ ...card, trustMe: true })],
        ['a member is spelled as in the proto', {}, (card) => ({ ...card, security_requirements: [] })],
        [
          'the url is another',
          {},
          (card) => ({
            ...card,
            supportedInterfaces: [{ url: 'https://evil.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          }),
        ],
        [
          'an empty alternative is added',
          {},
          (card) => ({ ...card, securityRequirements: [...(card['securityRequirements'] as JsonObject[]), {}] }),
        ],
      ])('%s', async (_name, overrides, change) => {
        const { card, signer } = await signed([{ source }], { ...CARD, ...overrides });
        await expect(trust(signer).verify(card)).resolves.toBeDefined();
        await expect(trust(signer).verify(change(card))).rejects.toThrow('No signature');
      });
    });

    describe('is not told by the signature how to verify it [SIGN-14]', () => {
      const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

      async function forged(header: JsonObject, unprotected?: JsonObject): Promise<{ card: JsonObject; signer: JwsCardSigner }> {
        const signer = await signerOf({ keys: [{ source, kid: 'known' }] });
        const jws = await new FlattenedSign(cardPayload(CARD)).setProtectedHeader({ alg: 'ES256', kid: 'known', ...header }).sign(key);
        return {
          card: {
            ...CARD,
            signatures: [{ protected: jws.protected!, signature: jws.signature, ...(unprotected && { header: unprotected }) }],
          },
          signer,
        };
      }

      it('alg none', async () => {
        const { signer } = await forged({});
        const card = { ...CARD, signatures: [{ protected: encode({ alg: 'none', kid: 'known' }), signature: '' }] };
        await expect(trust(signer).verify(card)).rejects.toThrow('the algorithm none is not allowed');
      });

      it('HS256 with the public key as the secret', async () => {
        const { signer } = await forged({});
        const header = encode({ alg: 'HS256', kid: 'known' });
        const secret = createPublicKey(key).export({ format: 'pem', type: 'spki' });
        const signature = createHmac('sha256', secret)
          .update(`${header}.${Buffer.from(cardPayload(CARD)).toString('base64url')}`)
          .digest('base64url');
        await expect(trust(signer).verify({ ...CARD, signatures: [{ protected: header, signature }] })).rejects.toThrow(
          'HS256 is not allowed',
        );
      });

      it('an unknown key id', async () => {
        const { card, signer } = await forged({ kid: 'other' });
        await expect(trust(signer).verify(card)).rejects.toThrow('the key other is not trusted');
      });

      it('a key in the header, even beside a known kid', async () => {
        const { card, signer } = await forged({ jwk: { kty: 'EC' } });
        await expect(trust(signer).verify(card)).rejects.toThrow('the protected header has jwk');
      });

      it('critical members', async () => {
        const { signer } = await forged({});
        const card = { ...CARD, signatures: [{ protected: encode({ alg: 'ES256', kid: 'known', crit: ['x'], x: 1 }), signature: 'AA' }] };
        await expect(trust(signer).verify(card)).rejects.toThrow('the protected header has crit');
      });

      it('alg in the unprotected header', async () => {
        const { signer } = await forged({});
        const card = { ...CARD, signatures: [{ protected: encode({ kid: 'known' }), signature: 'AA', header: { alg: 'ES256' } }] };
        await expect(trust(signer).verify(card)).rejects.toThrow('lacks alg or kid');
      });

      it('anything in the unprotected header, which is not read', async () => {
        const { card, signer } = await forged({}, { jwk: { kty: 'EC' }, jku: 'https://evil.example' });
        await expect(trust(signer).verify(card)).resolves.toMatchObject({ kid: 'known', jku: undefined });
      });
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

  describe('and the official JavaScript SDK', () => {
    const sdkVerify = (signer: JwsCardSigner, card: JsonObject): Promise<void> => {
      const keyOf = async (kid: string): Promise<JWK> => signer.publicKeys.find((jwk) => jwk.kid === kid) ?? {};
      return verifyAgentCardSignature(keyOf)(card as unknown as SdkCard);
    };

    beforeEach(() => jest.spyOn(console, 'debug').mockReturnValue());
    afterEach(() => jest.restoreAllMocks());

    it('agree on a card without empty members', async () => {
      const plain = {
        ...CARD,
        securityRequirements: [{ schemes: { code: { list: ['read'] } } }],
        securitySchemes: without(CARD['securitySchemes'] as JsonObject, 'mtls'),
        skills: [{ id: 's', name: 'Übersetzen', description: 'd', tags: ['t'] }],
      };
      const { card, signer } = await signed([{ source }], plain);
      await expect(sdkVerify(signer, card)).resolves.toBeUndefined();
    });

    it('agree on every card with a second signature in the form of the SDKs', async () => {
      const { card, signer } = await signed([{ source }, { source: { jwk: jwkOf(makeKey()) }, form: 'sdk' }]);
      await expect(sdkVerify(signer, card)).resolves.toBeUndefined();
      await expect(new AgentCardVerifier({ keys: signer.publicKeys }).verify(card)).resolves.toBeDefined();
    });

    it('never rely on that second signature here: alone it proves nothing', async () => {
      const { card, signer } = await signed([{ source, form: 'sdk' }]);
      await expect(new AgentCardVerifier({ keys: signer.publicKeys }).verify(card)).rejects.toThrow('No signature');
    });
  });

  it('signs the same card whatever signatures it had', async () => {
    const signer = await signerOf({ keys: [{ source: { jwk: jwkOf(makeKey('EdDSA')) } }] });
    const [first] = await signer.sign(message());
    const [second] = await signer.sign({
      ...message(),
      signatures: [create(AgentCardSignatureSchema, { protected: 'x', signature: 'y' })],
    });
    expect(second).toEqual(first);
  });
});

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
