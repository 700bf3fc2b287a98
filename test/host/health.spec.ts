import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { type Host, startHost } from '../support/host.js';

async function ask(host: Host, path: string): Promise<{ status: number; body: unknown; caching: string | null }> {
  const response = await fetch(`${host.httpUrl}/health/${path}`);
  return { status: response.status, body: await response.json(), caching: response.headers.get('cache-control') };
}

describe.each(['express', 'fastify'])('health on %s', (adapter) => {
  let host: Host;

  afterEach(() => host.stop());

  it('says live and ready, to be asked anew each time', async () => {
    host = await startHost({ env: { HTTP_ADAPTER: adapter } });
    expect(await ask(host, 'live')).toEqual({ status: 200, body: { status: 'live' }, caching: 'no-store' });
    expect(await ask(host, 'ready')).toEqual({ status: 200, body: { status: 'ready' }, caching: 'no-store' });
  });
});

describe('health on a store that goes away', () => {
  let postgres: TestPostgres;
  let host: Host;

  beforeAll(async () => {
    postgres = await startPostgres();
    host = await startHost({
      env: { DATABASE_URL: await postgres.createDatabase(), A2A_SECRET: 'a secret that replicas would share'.repeat(2) },
    });
  });

  afterAll(async () => {
    await host.stop();
    await postgres.stop();
  });

  it('stays live, is not ready any more and says no more than that', async () => {
    expect((await ask(host, 'ready')).status).toBe(200);
    await postgres.stop();
    expect((await ask(host, 'live')).status).toBe(200);
    expect(await ask(host, 'ready')).toMatchObject({ status: 503, body: { status: 'store unavailable' } });
    await host.logged('Not ready: the store does not answer');
  });
});
