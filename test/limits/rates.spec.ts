import { type JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { RawGrpcClient } from '../grpc/support/grpc.client.js';
import { ask, post } from '../http/support/http-client.js';
import { type Host, startHost } from '../support/host.js';
import { ADAPTERS, LimitedHost, say, WIRES } from './support/limited-host.js';
import { refusalOf } from './support/refusals.js';

/** Seconds; longer than any test takes. */
const HOUR = 3_600;

describe.each(ADAPTERS)('Rates on %s', (adapter) => {
  describe.each(WIRES)('over %s', (wire) => {
    it('are those of a caller, in points: a message is ten reads [ERR-06, SECC-40, D20]', async () => {
      const host = await LimitedHost.start(adapter, {
        rates: { perCaller: { points: 14, seconds: HOUR } },
        other: { rates: { perCaller: { points: 2, seconds: HOUR } } },
      });
      const client = host.client(wire);
      await client.send(say('hello'));
      await client.listTasks();
      await client.listTasks();
      const error = await refusalOf(wire, 'too much', client.listTasks());
      expect([error.message, error.reason, error.detail('ErrorInfo')?.metadata]).toEqual([
        'Rate limit exceeded for this caller',
        'RATE_LIMITED',
        { limit: 'caller' },
      ]);
      await host.client(wire, 'other').listTasks();
      await refusalOf(wire, 'too much', host.client(wire, 'other').listTasks());
      await host.stop();
    });

    it('are those of a tenant and of an agent, and hold nobody else up', async () => {
      const host = await LimitedHost.start(adapter, {
        rates: { perTenant: { points: 2, seconds: HOUR } },
        other: { rates: { perAgent: { points: 2, seconds: HOUR } } },
      });
      const tenant = (name: string) => (wire === 'GRPC' ? `worker/${name}` : name);
      await host.client(wire).listTasks({ tenant: tenant('acme') });
      const error = await refusalOf(wire, 'too much', host.client(wire).listTasks({ tenant: tenant('acme') }));
      expect(error.message).toBe('Rate limit exceeded for this tenant');
      await host.client(wire).listTasks({ tenant: tenant('globex') });
      await host.client(wire, 'other').listTasks();
      const shared = await refusalOf(wire, 'too much', host.client(wire, 'other').listTasks());
      expect(shared.message).toBe('Rate limit exceeded for this agent');
      await host.stop();
    });
  });
});

describe.each(ADAPTERS)('Rates of addresses on %s', (adapter) => {
  let host: Host | undefined;
  afterEach(async () => {
    await host?.stop();
    host = undefined;
  });

  async function start(env: Readonly<Record<string, string>>): Promise<number> {
    host = await startHost({ env: { HTTP_ADAPTER: adapter, A2A_DEFAULT_AGENT: 'echo', ...env } });
    return Number(new URL(host.httpUrl).port);
  }

  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('are asked before the body is read, and answered with Retry-After in the shape of the wire [ERR-06]', async () => {
    const port = await start({ A2A_RATE_PER_ADDRESS: '1/3600' });
    expect((await ask(port, { path: '/tasks' })).status).toBe(200);
    const rest = await post(port, '/message:send', 'x'.repeat(900_000));
    expect([rest.status, rest.headers.connection]).toEqual([429, 'close']);
    expect(Number(rest.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(rest.json.error).toMatchObject({ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Rate limit exceeded for this address' });
    const rpc = await post(port, '/rpc', { jsonrpc: '2.0', id: 7, method: 'ListTasks' });
    expect([rpc.status, Number(rpc.headers['retry-after']) > 3_000]).toEqual([429, true]);
    expect(rpc.json).toMatchObject({ id: null, error: { code: -32603, message: 'Rate limit exceeded for this address' } });
    const details = (rpc.json.error as { data: JsonObject[] }).data;
    expect(details.map((detail) => detail['@type'])).toEqual([
      'type.googleapis.com/google.rpc.ErrorInfo',
      'type.googleapis.com/google.rpc.RetryInfo',
    ]);
    const grpc = new RawGrpcClient(host?.grpcUrl ?? '');
    const refused = await grpc.unary('ListTasks');
    expect([refused.code, Number(refused.retryInfo?.retryDelay?.seconds) > 3_000]).toEqual([status.RESOURCE_EXHAUSTED, true]);
    grpc.close();
    expect((await ask(port, { path: '/.well-known/agent-card.json' })).status).toBe(200);
  });

  it('are dodged by no X-Forwarded-For, over HTTP or gRPC [E23]', async () => {
    const port = await start({ A2A_RATE_PER_ADDRESS: '2/3600' });
    const statuses = [];
    for (let index = 0; index < 4; index++)
      statuses.push((await ask(port, { path: '/tasks', headers: from(`198.51.100.${index}`) })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const grpc = new RawGrpcClient(host?.grpcUrl ?? '');
    expect((await grpc.unary('ListTasks', {}, { metadata: from('198.51.100.9') })).code).toBe(status.RESOURCE_EXHAUSTED);
    grpc.close();
  });

  it('go by what a trusted proxy says, and by the nearest hop that is none [E23]', async () => {
    const port = await start({ A2A_RATE_PER_ADDRESS: '1/3600', A2A_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
    const at = async (forwarded: string) => (await ask(port, { path: '/tasks', headers: from(forwarded) })).status;
    expect([await at('198.51.100.1'), await at('198.51.100.1'), await at('198.51.100.2')]).toEqual([200, 429, 200]);
    expect(await at('203.0.113.9, 198.51.100.1')).toBe(429);
    expect(await at('198.51.100.1, 10.1.2.3')).toBe(429);
    expect([await at('2001:db8:1:2::1'), await at('2001:db8:1:2:ffff::2'), await at('2001:db8:1:3::1')]).toEqual([200, 429, 200]);
    const grpc = new RawGrpcClient(host?.grpcUrl ?? '');
    const over = async (forwarded: string) => (await grpc.unary('ListTasks', {}, { metadata: from(forwarded) })).code;
    expect([await over('198.51.100.1'), await over('198.51.100.77')]).toEqual([status.RESOURCE_EXHAUSTED, status.OK]);
    grpc.close();
  });
});
