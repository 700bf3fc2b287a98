import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { exportSPKI, importJWK, type JWK } from 'jose';
import { type A2aError } from '@a2a/a2a-core';
import { fastest } from '../../../test/support/fastest.js';
import { httpBearerScheme } from '../src/index.js';
import { AuthHost, bearer } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';

const AUDIENCE = 'urn:agent:a';

/** Twenty-eight tokens and what each of them has to be answered with. */
describe('the token corpus', () => {
  let provider: IdentityProvider;
  let host: AuthHost;

  beforeAll(async () => {
    provider = await IdentityProvider.start();
    await provider.addKey('RS256');
    const tokens = { jwt: { issuer: provider.issuer, jwksUri: provider.jwksUri } };
    host = await AuthHost.start({ schemes: { corporate: httpBearerScheme({ tokens }) } }, [
      hostedAgent({ id: 'a', security: { requirements: [{ corporate: [] }], audience: AUDIENCE } }),
    ]);
  });

  afterAll(async () => {
    await host.stop();
    await provider.stop();
  });

  const now = (): number => host.clock.seconds;
  const ec = () => provider.keys[0]!;
  const rsa = () => provider.keys[1]!;
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = (): Record<string, unknown> => ({ iss: provider.issuer, sub: 'alice', aud: AUDIENCE, iat: now(), exp: now() + 300 });

  /** A token with any header at all, signed with the provider's EC key by node alone. */
  function forge(header: Record<string, unknown>, signature?: string): string {
    const input = `${encode({ alg: 'ES256', kid: ec().kid, typ: 'at+jwt', ...header })}.${encode(claims())}`;
    return `${input}.${signature ?? ''}`;
  }

  async function signedForge(header: Record<string, unknown>): Promise<string> {
    const { KeyObject } = await import('node:crypto');
    const input = forge(header).slice(0, -1);
    const bytes = sign('sha256', Buffer.from(input), { key: KeyObject.from(ec().privateKey), dsaEncoding: 'ieee-p1363' });
    return `${input}.${bytes.toString('base64url')}`;
  }

  async function errorFor(token: string): Promise<A2aError | undefined> {
    return (await host.call(bearer(token))).error;
  }

  describe('accepts', () => {
    it.each<[string, () => Promise<string>]>([
      ['an ES256 access token', () => provider.token(now())],
      ['an RS256 access token', () => provider.token(now(), {}, {}, rsa())],
      ['application/at+jwt as the type', () => provider.token(now(), {}, { typ: 'application/AT+JWT' })],
      ['several audiences, ours among them', () => provider.token(now(), { aud: ['urn:other', AUDIENCE] })],
      ['a clock ten seconds ahead of ours [A5]', () => provider.token(now() + 10)],
      ['a token that expired nine seconds ago [A5]', () => provider.token(now(), { iat: now() - 300, exp: now() - 9 })],
    ])('%s', async (_name, make) => {
      const { principal } = await host.call(bearer(await make()));
      expect(principal).toMatchObject({ authenticated: true, issuer: provider.issuer, subject: 'alice' });
    });
  });

  describe('refuses as UNAUTHENTICATED, with one text for all of them', () => {
    it.each<[string, string, () => Promise<string> | string]>([
      ['alg none [A2]', 'no signed JWT', () => forge({ alg: 'none' })],
      ['alg NoNe with a signature [A2]', 'algorithm is not allowed', () => signedForge({ alg: 'NoNe' })],
      ['an empty signature [A2]', 'no signed JWT', async () => (await provider.token(now())).replace(/[^.]+$/, '')],
      ['HS256 with the public RSA key as the secret [A3]', 'algorithm is not allowed', () => confuseKeys(rsa().publicJwk, 'HS256')],
      ['HS256 with the public EC key as the secret [A3]', 'algorithm is not allowed', () => confuseKeys(ec().publicJwk, 'HS256')],
      ['RS256 with the id of an EC key [A3]', 'no such key', () => provider.token(now(), {}, { alg: 'RS256', kid: ec().kid }, rsa())],
      ['a token that has expired [A4]', 'has expired', () => provider.token(now(), { iat: now() - 600, exp: now() - 61 })],
      ['a token that is not good yet [A4]', 'not good yet', () => provider.token(now(), { nbf: now() + 61 })],
      ['a token from the future [A4]', 'from the future', () => provider.token(now(), { iat: now() + 61 })],
      ['a token without exp [A4]', 'has expired', () => provider.token(now(), { exp: undefined })],
      ['exp as a string [A4]', 'has expired', () => provider.token(now(), { exp: String(now() + 300) })],
      ['a token without iat [A4]', 'from no time', () => provider.token(now(), { iat: undefined })],
      ['a token without sub', 'names no subject', () => provider.token(now(), { sub: undefined })],
      ['a token for another agent [A6]', 'another audience', () => provider.token(now(), { aud: 'urn:agent:b' })],
      ['a token for nobody [A6]', 'names no audience', () => provider.token(now(), { aud: undefined })],
      [
        'an issuer that only begins like ours [A7]',
        'issuer invalid',
        () => provider.token(now(), { iss: `${provider.issuer}.evil.example` }),
      ],
      ['an ID token [A8]', 'another type', () => provider.token(now(), {}, { typ: 'JWT' })],
      ['a token without a type [A8]', 'another type', () => provider.token(now(), {}, { typ: undefined })],
      ['a path as the key id [A9]', 'no such key', () => provider.token(now(), {}, { kid: '../../dev/null' })],
      ['a key in the header [A10]', 'its own key', () => signedForge({ jwk: ec().publicJwk })],
      ['an address of keys in the header [A10]', 'its own key', () => signedForge({ jku: 'https://evil.example/jwks' })],
      ['critical members [A11]', 'critical header members', () => signedForge({ crit: ['x'], x: 1 })],
    ])('%s', async (_name, why, make) => {
      const error = await errorFor(await make());
      expect(error).toMatchObject({ reason: 'UNAUTHENTICATED', message: 'The credentials are not valid' });
      expect(error?.details.challenges).toEqual([
        'Bearer realm="a", error="invalid_token", error_description="The access token is not valid"',
      ]);
      expect(host.logger.lines.at(-1)).toContain(why);
    });
  });

  it('refuses a token changed after it was signed', async () => {
    const [header, , signature] = (await provider.token(now())).split('.');
    const changed = encode({ ...claims(), sub: 'mallory' });
    expect(await errorFor(`${header}.${changed}.${signature}`)).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('refuses a token signed by a key of the same id that is not the issuer’s', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const input = forge({}).slice(0, -1);
    const signature = createSign('sha256').update(input).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' }, 'base64url');
    expect(await errorFor(`${input}.${signature}`)).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('refuses a megabyte before decoding it [A17]', async () => {
    const fetches = provider.fetches;
    const refuse = async (): Promise<void> => {
      expect(await errorFor('a'.repeat(1_000_000))).toMatchObject({ reason: 'UNAUTHENTICATED' });
    };
    expect(await fastest(refuse, 100)).toBeLessThan(100);
    expect(provider.fetches).toBe(fetches);
  });

  it('refuses a token without kid when the issuer has several keys', async () => {
    expect(await errorFor(await provider.token(now(), {}, { kid: undefined }))).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('refuses a token that would live for a week', async () => {
    expect(await errorFor(await provider.token(now(), { exp: now() + 7 * 86_400 }))).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('refuses a token bound by a key this host cannot ask for', async () => {
    expect(await errorFor(await provider.token(now(), { cnf: { jkt: 'x' } }))).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('writes no token into the log [E17]', async () => {
    const token = await provider.token(now(), { exp: now() - 100 });
    await host.call(bearer(token));
    const log = host.logger.lines.join('\n');
    expect(log).toContain('expired');
    expect(log).not.toContain(token.slice(0, 40));
    expect(log).not.toContain(token.split('.')[2]);
  });

  async function confuseKeys(jwk: JWK, alg: string): Promise<string> {
    const pem = await exportSPKI((await importJWK(jwk, jwk.alg)) as Parameters<typeof exportSPKI>[0]);
    const input = `${encode({ alg, kid: jwk.kid, typ: 'at+jwt' })}.${encode(claims())}`;
    return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
  }
});
