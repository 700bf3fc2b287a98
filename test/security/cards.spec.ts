import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentCard as SdkCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { AgentCardVerifier } from '@a2a/auth';
import { type JWK } from 'jose';
import { WIRES } from '../conformance/conformance-host.js';
import { LoopbackHttp } from '../support/loopback-http.js';
import { AUDIENCE, ALL_OPERATIONS, type SecurityJson, useProtectedHost } from './protected-host.js';

/** Signs as A2A §8.4.1 says, from a PEM file; from a JWK in the environment; and once more in the form that the SDKs verify, at hand. */
const [fromFile, fromEnvironment, forSdks] = [makeKey('P-256'), makeKey('P-384'), makeKey('P-256')];
const retired = makeKey('P-256');
const folder = mkdtempSync(join(tmpdir(), 'a2a-cards-'));
writeFileSync(join(folder, 'card.pem'), fromFile.export({ type: 'pkcs8', format: 'pem' }));
afterAll(() => rmSync(folder, { recursive: true }));

const host = useProtectedHost({ CARD_KEY: JSON.stringify(jwkOf(fromEnvironment)) }, withEveryScheme);

/** `expense-approval` offers every kind of scheme, and has an extension; texts are not only ASCII. */
function withEveryScheme(file: SecurityJson): SecurityJson {
  const jwt = { issuer: 'https://login.example' };
  const tokenUrl = 'https://login.example/token';
  const scopes = { 'expenses.submit': 'Spesen einreichen – 経費' };
  const flows = {
    code: { authorizationCode: { authorizationUrl: 'https://login.example/authorize', tokenUrl, scopes, pkceRequired: true } },
    device: { deviceCode: { deviceAuthorizationUrl: 'https://login.example/device', tokenUrl, scopes } },
  };
  return {
    ...file,
    schemes: {
      ...(file['schemes'] as object),
      code: {
        kind: 'oauth2',
        description: 'Schlüssel für 質問 🤖',
        metadataUrl: 'https://login.example/metadata',
        flow: flows.code,
        tokens: { jwt },
      },
      device: { kind: 'oauth2', flow: flows.device, tokens: { jwt } },
      oidc: { kind: 'openIdConnect', openIdConnectUrl: 'https://login.example/.well-known/openid-configuration' },
    },
    agents: {
      ...file.agents,
      'expense-approval': {
        requirements: [
          { certificate: [], key: [] },
          { code: ['expenses.submit'] },
          { device: [] },
          { oidc: ['openid'] },
          { password: [] },
          { corporate: [] },
          { opaque: [] },
        ],
        audience: AUDIENCE.expenses,
      },
    },
    cardSigning: {
      keys: [
        { source: { file: join(folder, 'card.pem') } },
        { source: { env: 'CARD_KEY' } },
        { source: { jwk: jwkOf(forSdks) }, form: 'sdk', kid: 'for-sdks' },
      ],
      retiredKeys: [{ ...jwkOf(retired), kid: 'of-last-year' }],
    },
  };
}

const AGENTS = ['expense-approval', 'conformance', 'billing', 'incident-analyst', 'echo'];

describe.each(AGENTS)('The card of %s', (agentId) => {
  let card: JsonObject;
  let keys: JWK[];
  beforeAll(async () => {
    card = await host().card(agentId);
    keys = await publishedKeys();
  });

  it('is signed by every key, and each signature says where to find it [SIGN-01] [SIGN-09]', () => {
    const headers = (card['signatures'] as { protected: string }[]).map((signature) => headerOf(signature.protected));
    expect(headers.map(({ alg, typ }) => [alg, typ])).toEqual([
      ['ES256', 'JOSE'],
      ['ES384', 'JOSE'],
      ['ES256', 'JOSE'],
    ]);
    expect(headers.map(({ jku }) => jku)).toEqual(headers.map(() => `${host().httpUrl}/.well-known/jwks.json`));
    expect(headers.every(({ kid }) => keys.some((key) => key.kid === kid))).toBe(true);
  });

  it('is verified by our verifier, with the published keys [SIGN-11]', async () => {
    const verified = await new AgentCardVerifier({ keys }).verify(card);
    expect(verified.kid).toBe(headerOf((card['signatures'] as { protected: string }[])[0]?.protected ?? '').kid);
  });

  it('is verified by node:crypto alone [SIGN-02] [SIGN-10]', () => {
    const { signatures, ...payload } = card;
    const encoded = Buffer.from(sorted(payload)).toString('base64url');
    for (const { protected: header, signature } of (signatures as { protected: string; signature: string }[]).slice(0, 2)) {
      const { kid, alg } = headerOf(header);
      const jwk = keys.find((key) => key.kid === kid) as JsonWebKey;
      const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
      const bytes = Buffer.from(`${header}.${encoded}`);
      expect(verify(alg === 'ES384' ? 'sha384' : 'sha256', bytes, key, Buffer.from(signature, 'base64url'))).toBe(true);
    }
  });

  it('is verified by the official JavaScript SDK', async () => {
    jest.spyOn(console, 'debug').mockReturnValue();
    const keyOf = async (kid: string): Promise<JWK> => keys.find((key) => key.kid === kid) ?? {};
    await expect(verifyAgentCardSignature(keyOf)(card as unknown as SdkCard)).resolves.toBeUndefined();
    jest.restoreAllMocks();
  });

  it('is trusted by nobody who does not know the keys beforehand [E19] [SIGN-13] [SIGN-14]', async () => {
    const strangers = [jwkOf(makeKey('P-256'))].map((jwk) => ({ ...jwk, kid: keys[0]?.kid }));
    await expect(new AgentCardVerifier({ keys: strangers }).verify(card)).rejects.toThrow('No signature of the card holds');
    const verifier = new AgentCardVerifier({ jkuOrigins: [host().httpUrl], http: new LoopbackHttp() });
    await expect(verifier.verify(card)).rejects.toThrow('is not trusted');
  });

  it('is worth nothing with a rule taken out [E20]', async () => {
    const changes: JsonObject[] = [
      { securityRequirements: [{ schemes: {} }] },
      { securitySchemes: { certificate: {} } },
      { name: 'Another' },
      { 'x-unknown': true },
      { supportedInterfaces: [{ url: 'https://evil.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
    ];
    for (const change of changes) {
      await expect(new AgentCardVerifier({ keys }).verify({ ...card, ...change })).rejects.toThrow('No signature');
    }
  });
});

describe('Extended cards', () => {
  it.each(WIRES)('are signed for each caller, over %s [SIGN-16] [XCARD-05]', async (wire) => {
    const client = await host().client('billing', wire);
    const headers = await host().bearer({ aud: AUDIENCE.billing, scope: `${ALL_OPERATIONS} billing.refund billing.approve` });
    const card = (await client.call('GetExtendedAgentCard', {}, { headers })).body;
    expect((card['skills'] as JsonObject[]).map(({ id }) => id)).toContain('large-refund');
    await expect(new AgentCardVerifier({ keys: await publishedKeys() }).verify(card)).resolves.toMatchObject({ alg: 'ES256' });
  });
});

describe('The key set of the host', () => {
  it('holds public keys only, the retired ones too, and may be cached [SIGN-09]', async () => {
    const answer = await fetch(`${host().httpUrl}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: JWK[] };
    expect(keys.map(({ kid }) => kid)).toEqual([expect.any(String), expect.any(String), 'for-sdks', 'of-last-year']);
    expect(keys.filter((key) => 'd' in key || key.kty === 'oct')).toEqual([]);
    expect(answer.headers.get('content-type')).toContain('application/jwk-set+json');
    expect(answer.headers.get('cache-control')).toContain('max-age=');
  });
});

/** A Python that has the official SDK: `A2A_PYTHON`, or the one that `npm run interop:python` makes. */
const PYTHON = process.env.A2A_PYTHON ?? join(tmpdir(), 'a2a-nest-python', 'bin', 'python');
const leftOut = it.skip;
if (spawnSync(PYTHON, ['-c', 'import a2a.utils.signing']).status === 0) describePython();
else leftOut('The official Python SDK is not installed: run `npm run interop:python`', () => {});

function describePython(): void {
  describe('The official Python SDK', () => {
    it.each(AGENTS)('verifies the card of %s', async (agentId) => {
      const driver = join(process.cwd(), 'test/security/verify_card.py');
      const { stdout } = await promisify(execFile)(PYTHON, [driver, host().httpUrl, agentId], { timeout: 250_000 });
      expect(stdout.trim()).toBe('verified');
    });
  });
}

async function publishedKeys(): Promise<JWK[]> {
  return ((await (await fetch(`${host().httpUrl}/.well-known/jwks.json`)).json()) as { keys: JWK[] }).keys;
}

function makeKey(namedCurve: string): KeyObject {
  return generateKeyPairSync('ec', { namedCurve }).privateKey;
}

function jwkOf(key: KeyObject): JWK {
  return key.export({ format: 'jwk' }) as JWK;
}

function headerOf(encoded: string): { alg: string; typ: string; kid: string; jku?: string } {
  return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { alg: string; typ: string; kid: string };
}

/** RFC 8785 for cards, whose numbers are all whole: members in order of their names, and no white space. */
function sorted(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${sorted(value[name] as JsonValue)}`);
  return `{${members.join(',')}}`;
}
