import { type CallSeed, type SchemeRequirement } from '@a2a/a2a-core';
import { type A2aAuthOptions, apiKeyScheme, hashApiKey, hashPassword, httpBasicScheme, httpBearerScheme, mutualTlsScheme } from '@a2a/auth';
import { makeCertificate, thumbprint } from './certificates.js';
import { type IdentityProvider } from './identity-provider.js';

/** Whom tokens of the matrix are for. */
export const AUDIENCE = 'urn:agent:a';
const CERTIFICATE = makeCertificate({ uris: ['spiffe://example.org/billing'] });
const OTHER_CERTIFICATE = makeCertificate({ uris: ['spiffe://example.org/other'] });

/** What each agent asks: an OR of ANDs. */
export const AGENTS: Readonly<Record<string, readonly SchemeRequirement[]>> = {
  open: [],
  jwt: [{ corporate: [] }],
  read: [{ corporate: ['read'] }],
  readWrite: [{ corporate: ['read', 'write'] }],
  key: [{ key: [] }],
  keyRead: [{ key: ['read'] }],
  basic: [{ basic: [] }],
  cert: [{ cert: [] }],
  either: [{ corporate: [] }, { key: [] }],
  eitherRead: [{ corporate: ['read'] }, { key: [] }],
  both: [{ key: [], cert: [] }],
  bothRead: [{ cert: [], corporate: ['read'] }],
  bothOrBasic: [{ key: [], cert: [] }, { basic: [] }],
  mixed: [{ corporate: [] }, {}],
  mixedFirst: [{}, { key: [] }],
  dead: [{ dead: [] }],
  deadOrKey: [{ dead: [] }, { key: [] }],
  deadAndKey: [{ dead: [], key: [] }],
  readOrDead: [{ key: ['read'] }, { dead: [] }],
};

export type Credential =
  | 'jwt'
  | 'jwt read'
  | 'jwt expired'
  | 'jwt for another'
  | 'jwt bound'
  | 'jwt of dead issuer'
  | 'key'
  | 'key read'
  | 'wrong key'
  | 'basic'
  | 'wrong basic'
  | 'unreadable basic'
  | 'cert'
  | 'other cert'
  | 'unverified cert'
  | 'foreign scheme';

/** Agent, credentials, and who the caller is or why the call is refused. */
export const ROWS: readonly (readonly [string, readonly Credential[], string])[] = [
  ['open', [], 'anonymous'],
  ['open', ['jwt expired'], 'anonymous'],
  ['open', ['jwt'], 'anonymous'],
  ['jwt', [], 'UNAUTHENTICATED'],
  ['jwt', ['jwt'], 'alice'],
  ['jwt', ['jwt expired'], 'UNAUTHENTICATED'],
  ['jwt', ['jwt for another'], 'UNAUTHENTICATED'],
  ['jwt', ['key'], 'UNAUTHENTICATED'],
  ['jwt', ['basic'], 'UNAUTHENTICATED'],
  ['jwt', ['foreign scheme'], 'UNAUTHENTICATED'],
  ['jwt', ['jwt bound'], 'UNAUTHENTICATED'],
  ['jwt', ['jwt bound', 'cert'], 'alice'],
  ['jwt', ['jwt bound', 'other cert'], 'UNAUTHENTICATED'],
  ['read', ['jwt'], 'PERMISSION_DENIED'],
  ['read', ['jwt read'], 'alice'],
  ['readWrite', ['jwt read'], 'PERMISSION_DENIED'],
  ['key', ['key'], 'robot'],
  ['key', ['wrong key'], 'UNAUTHENTICATED'],
  ['key', ['jwt'], 'UNAUTHENTICATED'],
  ['keyRead', ['key'], 'PERMISSION_DENIED'],
  ['keyRead', ['key read'], 'reader'],
  ['basic', ['basic'], 'bob'],
  ['basic', ['wrong basic'], 'UNAUTHENTICATED'],
  ['basic', ['unreadable basic'], 'INVALID_REQUEST'],
  ['basic', ['jwt'], 'UNAUTHENTICATED'],
  ['cert', ['cert'], 'spiffe://example.org/billing'],
  ['cert', ['unverified cert'], 'UNAUTHENTICATED'],
  ['cert', [], 'UNAUTHENTICATED'],
  ['either', ['jwt', 'key'], 'alice'],
  ['either', ['key'], 'robot'],
  ['either', ['jwt expired', 'key'], 'robot'],
  ['either', ['jwt expired'], 'UNAUTHENTICATED'],
  ['eitherRead', ['jwt', 'wrong key'], 'PERMISSION_DENIED'],
  ['eitherRead', ['jwt', 'key'], 'robot'],
  ['both', ['key', 'cert'], 'robot'],
  ['both', ['key'], 'UNAUTHENTICATED'],
  ['both', ['cert'], 'UNAUTHENTICATED'],
  ['both', ['wrong key', 'cert'], 'UNAUTHENTICATED'],
  ['bothRead', ['cert', 'jwt read'], 'spiffe://example.org/billing'],
  ['bothRead', ['cert', 'jwt'], 'PERMISSION_DENIED'],
  ['bothOrBasic', ['key', 'unreadable basic'], 'INVALID_REQUEST'],
  ['mixed', [], 'anonymous'],
  ['mixed', ['jwt'], 'alice'],
  ['mixed', ['jwt expired'], 'UNAUTHENTICATED'],
  ['mixedFirst', ['key'], 'robot'],
  ['mixedFirst', ['wrong key'], 'UNAUTHENTICATED'],
  ['dead', ['jwt of dead issuer'], 'UNAVAILABLE'],
  ['dead', [], 'UNAUTHENTICATED'],
  ['deadOrKey', ['jwt of dead issuer', 'key'], 'robot'],
  ['deadOrKey', ['jwt of dead issuer', 'wrong key'], 'UNAVAILABLE'],
  ['deadAndKey', ['jwt of dead issuer', 'wrong key'], 'UNAUTHENTICATED'],
  ['deadAndKey', ['jwt of dead issuer', 'key'], 'UNAVAILABLE'],
  ['readOrDead', ['jwt of dead issuer', 'key'], 'PERMISSION_DENIED'],
];

/** Where tokens come from, and what time it is there. */
export interface TokenSource {
  readonly provider: IdentityProvider;
  readonly deadIssuer: IdentityProvider;
  readonly nowSeconds: number;
}

/** Credentials as a call brings them. */
export type Shown = Pick<CallSeed, 'peerCertificate'> & { readonly headers: ReadonlyMap<string, string> };

export async function show(credentials: readonly Credential[], { provider, deadIssuer, nowSeconds }: TokenSource): Promise<Shown> {
  const headers = new Map<string, string>();
  let shown: Shown = { headers };
  const token = (claims: Record<string, unknown>, from = provider): Promise<string> => from.token(nowSeconds, claims);
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  const set: Record<Credential, () => Promise<void> | void> = {
    jwt: async () => void headers.set('authorization', `Bearer ${await token({})}`),
    'jwt read': async () => void headers.set('authorization', `bearer ${await token({ scope: 'read other' })}`),
    'jwt expired': async () => void headers.set('authorization', `Bearer ${await token({ exp: nowSeconds - 100 })}`),
    'jwt for another': async () => void headers.set('authorization', `Bearer ${await token({ aud: 'urn:agent:b' })}`),
    'jwt bound': async () => void headers.set('authorization', `Bearer ${await token({ cnf: { 'x5t#S256': thumbprint(CERTIFICATE) } })}`),
    'jwt of dead issuer': async () => void headers.set('authorization', `Bearer ${await token({}, deadIssuer)}`),
    key: () => void headers.set('x-api-key', 'robot-key'),
    'key read': () => void headers.set('x-api-key', 'reader-key'),
    'wrong key': () => void headers.set('x-api-key', 'no-key'),
    basic: () => void headers.set('authorization', basic('bob:right: with colon')),
    'wrong basic': () => void headers.set('authorization', basic('bob:wrong')),
    'unreadable basic': () => void headers.set('authorization', 'Basic %%%'),
    cert: () => void (shown = { ...shown, peerCertificate: { der: CERTIFICATE, verified: true } }),
    'other cert': () => void (shown = { ...shown, peerCertificate: { der: OTHER_CERTIFICATE, verified: true } }),
    'unverified cert': () => void (shown = { ...shown, peerCertificate: { der: CERTIFICATE, verified: false } }),
    'foreign scheme': () => void headers.set('authorization', 'Negotiate abc'),
  };
  for (const credential of credentials) await set[credential]();
  return shown;
}

/** The schemes that the agents name. */
export async function matrixOptions({ provider, deadIssuer }: Omit<TokenSource, 'nowSeconds'>): Promise<A2aAuthOptions> {
  const jwt = ({ issuer, jwksUri }: IdentityProvider) => httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } });
  return {
    authFailures: { failures: 10_000 },
    schemes: {
      corporate: jwt(provider),
      dead: jwt(deadIssuer),
      key: apiKeyScheme({
        in: 'header',
        name: 'X-API-Key',
        keys: [
          { sha256: hashApiKey('robot-key'), subject: 'robot' },
          { sha256: hashApiKey('reader-key'), subject: 'reader', scopes: ['read'] },
        ],
      }),
      basic: httpBasicScheme({ users: [{ username: 'bob', passwordHash: await hashPassword('right: with colon') }] }),
      cert: mutualTlsScheme(),
    },
  };
}
