import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { sendMessage } from '../load/calls.js';
import { type ContenderSpec } from '../measure/contender.js';
import { type Claim, type Result } from '../measure/result.js';
import { spreadOf } from '../measure/rounds.js';
import { type BenchOptions, type Workload } from '../measure/workload.js';
import { type Identity } from '../servers/ours.identity.js';
import { callsWorkload } from './calls.workload.js';
import { OURS_FASTIFY } from './peers.js';

const KEY = 'a2ak_bench';
const AUDIENCE = 'https://bench.example';
const OPEN = 'open';
const API_KEY = 'API key';
const TOKEN = 'JWT, key cached';

/** What it costs to know the caller: the same call without and with credentials. */
export const IDENTITY: Workload = { id: 'ID', title: 'SendMessage by a known caller', run };

async function run(options: BenchOptions): Promise<Result> {
  const issuer = await startIssuer();
  try {
    const workload = callsWorkload({
      id: IDENTITY.id,
      title: IDENTITY.title,
      contenders: [
        spec(OPEN, { kind: 'open' }),
        spec(API_KEY, { kind: 'api-key', key: KEY }),
        spec(TOKEN, { kind: 'jwt', issuer: issuer.url, jwksUri: `${issuer.url}/jwks`, audience: AUDIENCE }),
      ],
      targets: [],
      prepare: async (_, { name }) => ({ ...sendMessage('echo'), headers: headersFor(name, issuer.token) }),
    });
    const result = await workload.run(options);
    return { ...result, claims: [differenceClaim(result, API_KEY, 100), differenceClaim(result, TOKEN, 500)] };
  } finally {
    await issuer.stop();
  }
}

function spec(name: string, identity: Identity): ContenderSpec {
  return { ...OURS_FASTIFY, name, options: { adapter: 'fastify', identity } };
}

function headersFor(name: string, token: string): Record<string, string> {
  if (name === API_KEY) return { 'x-api-key': KEY };
  return name === TOKEN ? { authorization: `Bearer ${token}` } : {};
}

/** @param atMost microseconds more than the open call */
function differenceClaim({ rows }: Result, name: string, atMost: number): Claim {
  const cost = (row: string): number => rows.find((one) => one.name === row)?.figure.median ?? Number.NaN;
  return { text: `${name}, µs more than an open call`, measured: spreadOf([cost(name) - cost(OPEN)]), atMost };
}

/** An identity provider that publishes one key. */
async function startIssuer(): Promise<{ readonly url: string; readonly token: string; stop(): Promise<void> }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] });
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(keys));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = { iss: url, sub: 'bench', aud: AUDIENCE, client_id: 'bench', jti: 'j' };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, token, stop };
}
