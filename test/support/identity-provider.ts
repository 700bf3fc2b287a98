import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** How the provider misbehaves. */
export type Mood = 'well' | 'error' | 'garbage' | 'redirect' | 'hang' | 'huge' | 'crowded';

/** A small identity provider on the loopback interface: discovery, keys and introspection, all of which can go wrong on demand. */
export class IdentityProvider {
  readonly keys: SigningKey[] = [];
  /** Bodies of introspection answers by token; a token without one is not active. */
  readonly opaqueTokens = new Map<string, Record<string, unknown>>();
  mood: Mood = 'well';
  /** Requests of each path. */
  readonly asked = new Map<string, number>();
  /** What discovery says beside the truth. */
  metadata: Record<string, unknown> = {};
  #server?: Server;
  issuer = '';

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await provider.addKey('ES256');
    const server = createServer((request, response) => provider.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    provider.#server = server;
    provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return provider;
  }

  get jwksUri(): string {
    return `${this.issuer}/jwks`;
  }

  get discoveryUrl(): string {
    return `${this.issuer}/.well-known/openid-configuration`;
  }

  get fetches(): number {
    return this.asked.get('/jwks') ?? 0;
  }

  async addKey(alg: string, kid = `key-${this.keys.length + 1}`): Promise<SigningKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const key = { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys.push(key);
    return key;
  }

  removeKey(kid: string): void {
    this.keys.splice(
      this.keys.findIndex((key) => key.kid === kid),
      1,
    );
  }

  /** A token as RFC 9068 wants it, changed as the test says; a claim or header member set to undefined is left out. */
  async token(
    nowSeconds: number,
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key = this.keys[0],
  ): Promise<string> {
    if (!key) throw new Error('The provider has no key');
    const all = { iss: this.issuer, sub: 'alice', aud: 'urn:agent:a', client_id: 'cli', iat: nowSeconds, exp: nowSeconds + 300, ...claims };
    return new SignJWT(withoutUndefined(all) as JWTPayload)
      .setProtectedHeader(withoutUndefined({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header }) as { alg: string })
      .sign(key.privateKey);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    this.asked.set(pathname, (this.asked.get(pathname) ?? 0) + 1);
    switch (this.mood) {
      case 'hang':
        return;
      case 'error':
        response.writeHead(500).end();
        return;
      case 'garbage':
        response.end('<html>not here</html>');
        return;
      case 'redirect':
        response.writeHead(302, { location: `${this.issuer}/elsewhere` }).end();
        return;
      case 'huge':
        response.end(JSON.stringify({ keys: [{ kty: 'EC', padding: 'x'.repeat(300_000) }] }));
        return;
      case 'crowded':
        response.end(JSON.stringify({ keys: Array.from({ length: 101 }, (_, kid) => ({ kty: 'EC', kid: String(kid) })) }));
        return;
      case 'well':
        this.answerWell(pathname, request, response);
    }
  }

  private answerWell(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (path === '/introspect') {
      void this.introspect(request, response);
    } else if (path === '/jwks') {
      response.end(JSON.stringify({ keys: this.keys.map(({ publicJwk }) => publicJwk) }));
    } else if (path.startsWith('/.well-known/')) {
      const { issuer, jwksUri } = this;
      const truth = { issuer, jwks_uri: jwksUri, introspection_endpoint: `${issuer}/introspect` };
      response.end(JSON.stringify({ ...truth, ...this.metadata }));
    } else {
      response.writeHead(404).end();
    }
  }

  private async introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.headers.authorization !== `Basic ${Buffer.from('host:s3cret').toString('base64')}`) {
      response.writeHead(401).end();
      return;
    }
    const token = new URLSearchParams(body).get('token') ?? '';
    response.end(JSON.stringify(this.opaqueTokens.get(token) ?? { active: false }));
  }
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
