import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { A2A_OPERATION_SCOPES, hashApiKey } from '@a2a/auth';
import { ConfigError } from '../config/host.config.js';
import { readIdentityConfig } from './identity.config.js';
import { securitySchema } from './security.schema.js';

const HOST = { host: '127.0.0.1', publicUrl: 'http://127.0.0.1:3000', trustedProxies: [] };
const CANARY = 'canary-4711';

describe('the security file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-file-'));
    path = join(folder, 'security.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function read(content: object | string, host: Partial<typeof HOST> = {}) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readIdentityConfig({ ...HOST, ...host, securityFile: path });
  }

  function problemsOf(content: object | string): readonly string[] {
    try {
      read(content);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    throw new Error('Nothing is wrong with it');
  }

  const key = { sha256: hashApiKey('k'), subject: 'robot' };
  const jwt = { issuer: 'https://login.example' };

  it('is not needed: without it every agent is open', () => {
    expect(readIdentityConfig({ ...HOST, securityFile: undefined })).toMatchObject({ schemes: {}, agents: {} });
  });

  it('is as docs/identity.md shows it', () => {
    const [example = '', signing = ''] = [...readFileSync('docs/identity.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, block]) => block,
    );
    expect(Object.keys(read(example).agents ?? {})).toEqual(['billing', 'incident-analyst']);
    expect(read(`{${signing}}`).cardSigning?.keys).toHaveLength(2);
  });

  it('has every member explained in docs/identity.md', () => {
    const page = readFileSync('docs/identity.md', 'utf8');
    const { shape } = securitySchema;
    const agent = shape.agents.unwrap().valueType.shape;
    const members = [...Object.keys(shape), ...Object.keys(agent), 'apiKey', 'basic', 'bearer', 'oauth2', 'openIdConnect', 'mutualTls'];
    expect(members.filter((member) => !page.includes(`\`${member}\``))).toEqual([]);
  });

  it('cannot make what a caller says trustworthy, and docs/identity.md says so [E25]', () => {
    expect(readFileSync('docs/identity.md', 'utf8')).toMatch(/stays untrusted whoever it is/);
  });

  it('makes schemes of each kind, as cards show them', () => {
    const { schemes = {} } = read({
      schemes: {
        key: { kind: 'apiKey', in: 'header', name: 'X-Key', keys: [{ ...key, expiresAt: '2030-01-01T00:00:00Z' }] },
        password: { kind: 'basic', users: [{ username: 'ada', passwordHash: `scrypt:${'A'.repeat(22)}:${'A'.repeat(43)}` }] },
        token: { kind: 'bearer', tokens: { jwt } },
        code: { kind: 'oauth2', flow: { clientCredentials: { tokenUrl: 'https://login.example/t' } }, tokens: { jwt } },
        login: { kind: 'openIdConnect', openIdConnectUrl: 'https://login.example/.well-known/openid-configuration' },
        certificate: { kind: 'mutualTls', clients: { 'spiffe://example.org/a': { scopes: ['x'] } } },
      },
    });
    expect(Object.entries(schemes).map(([name, { card }]) => [name, card.scheme.case])).toEqual([
      ['key', 'apiKeySecurityScheme'],
      ['password', 'httpAuthSecurityScheme'],
      ['token', 'httpAuthSecurityScheme'],
      ['code', 'oauth2SecurityScheme'],
      ['login', 'openIdConnectSecurityScheme'],
      ['certificate', 'mtlsSecurityScheme'],
    ]);
    expect(schemes['key']?.settings).toMatchObject({ keys: [{ expiresAtMs: Date.parse('2030-01-01T00:00:00Z') }] });
  });

  it('takes the ready table of operation scopes by its name', () => {
    expect(read({ operationScopes: 'standard' }).operationScopes).toBe(A2A_OPERATION_SCOPES);
  });

  it('finds files beside itself, and names the key set of this host in signatures', () => {
    const { cardSigning } = read({ cardSigning: { keys: [{ source: { file: 'card.pem' } }, { source: { env: 'CARD_KEY' } }] } });
    expect(cardSigning).toEqual({
      jku: 'http://127.0.0.1:3000/.well-known/jwks.json',
      keys: [{ source: { file: join(folder, 'card.pem') } }, { source: { env: 'CARD_KEY' } }],
    });
  });

  it.each([
    ['env', { env: 'A2A_SPEC_SECRET' }],
    ['file', { file: 'client.secret' }],
  ])('takes a secret from a %s, without the white space around it', (_, clientSecret) => {
    process.env['A2A_SPEC_SECRET'] = ` ${CANARY}\n`;
    writeFileSync(join(folder, 'client.secret'), `${CANARY}\n`);
    const opaque = { ...jwt, clientId: 'host', clientSecret };
    const { schemes } = read({ schemes: { token: { kind: 'bearer', tokens: { opaque } } } });
    expect(schemes?.['token']?.settings).toMatchObject({ tokens: { opaque: { clientSecret: CANARY } } });
    delete process.env['A2A_SPEC_SECRET'];
  });

  it.each([
    ['{ "env": "A2A_SPEC_ABSENT" }', { env: 'A2A_SPEC_ABSENT' }, /environment variable A2A_SPEC_ABSENT, which holds nothing/],
    ['{ "file": "absent" }', { file: 'absent' }, /the file absent, which holds nothing/],
  ])('says where a secret is missing: %s', (_, clientSecret, problem) => {
    const opaque = { ...jwt, clientId: 'host', clientSecret };
    expect(problemsOf({ schemes: { token: { kind: 'bearer', tokens: { opaque } } } })).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['a member that means nothing', { agents: { a: { requirement: [] } } }, 'agents.a has "requirement", which means nothing here'],
    ['a kind that is none', { schemes: { x: { kind: 'magic' } } }, 'schemes.x'],
    [
      'a key in clear text',
      { schemes: { x: { kind: 'apiKey', in: 'header', name: 'X', keys: [{ sha256: CANARY, subject: 's' }] } } },
      'schemes.x.keys[0].sha256',
    ],
    [
      'a secret in the file itself',
      { schemes: { x: { kind: 'bearer', tokens: { opaque: { ...jwt, clientId: 'c', clientSecret: CANARY } } } } },
      'schemes.x.tokens.opaque.clientSecret',
    ],
    [
      'an algorithm that lets anybody sign',
      { schemes: { x: { kind: 'bearer', tokens: { jwt: { ...jwt, algorithms: ['HS256'] } } } } },
      'schemes.x.tokens.jwt.algorithms[0]',
    ],
    [
      'clocks too far apart',
      { schemes: { x: { kind: 'bearer', tokens: { jwt: { ...jwt, clockToleranceSeconds: 600 } } } } },
      'schemes.x.tokens.jwt.clockToleranceSeconds',
    ],
    ['an operation that is none', { operationScopes: { SendMesage: ['a'] } }, 'operationScopes'],
    ['no key to sign with', { cardSigning: { keys: [] } }, 'cardSigning.keys'],
  ])('names %s by its path and repeats no value', (_, content, where) => {
    const problems = problemsOf(content);
    expect(problems).toEqual([expect.stringContaining(`${path}: ${where}`)]);
    expect(problems.join()).not.toContain(CANARY);
  });

  it('says so when it is no JSON or cannot be read', () => {
    expect(problemsOf('{')).toEqual([expect.stringContaining('this is not JSON')]);
    expect(() => readIdentityConfig({ ...HOST, securityFile: join(folder, 'absent.json') })).toThrow(/A2A_SECURITY_FILE is .*ENOENT/);
  });

  it.each([
    ['this machine alone can call', {}, 'shared'],
    ['it listens on IPv6 of this machine', { host: '::1', publicUrl: 'http://[::1]:3000' }, 'shared'],
    ['it listens to others', { host: '0.0.0.0' }, 'own'],
    ['a proxy calls for others', { publicUrl: 'https://agents.example.com' }, 'own'],
    ['proxies are trusted', { trustedProxies: ['10.0.0.1'] }, 'own'],
  ])('unless it says so, callers without credentials where %s: %j [A26]', (_, host, expected) => {
    expect(read({}, host as Partial<typeof HOST>).anonymousOwner).toBe(expected);
    expect(read({ anonymousOwner: 'own' }, host as Partial<typeof HOST>).anonymousOwner).toBe('own');
  });
});
