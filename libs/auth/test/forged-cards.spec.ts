import { createHmac, createPublicKey } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { FlattenedSign } from 'jose';
import { AgentCardVerifier } from '../src/index.js';
import { cardPayload } from '../src/cards/card-payload.js';
import { type JwsCardSigner } from '../src/cards/jws-card.signer.js';
import { CARD, jwkOf, makeKey, signed, signerOf, without } from './support/signed-cards.js';

const key = makeKey();
const source = { jwk: jwkOf(key) };
const trust = (signer: JwsCardSigner): AgentCardVerifier => new AgentCardVerifier({ keys: signer.publicKeys });

describe('a verifier of cards', () => {
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
});
