import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toJson } from '@bufbuild/protobuf';
import { calculateJwkThumbprint } from 'jose';
import { AgentCardSignatureSchema } from '@a2a/a2a-core';
import { cardPayload } from '../src/cards/card-payload.js';
import { jwkOf, makeKey, message, signed, signerOf } from './support/signed-cards.js';

const key = makeKey();
const source = { jwk: jwkOf(key) };
const parse = (protectedHeader: string): unknown => JSON.parse(Buffer.from(protectedHeader, 'base64url').toString('utf8'));

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
