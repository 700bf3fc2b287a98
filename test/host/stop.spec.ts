import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { GrpcClient } from '../support/clients/grpc.js';
import { JsonRpcClient } from '../support/clients/json-rpc.js';
import { RestClient } from '../support/clients/rest.js';
import { freePorts } from '../support/free-ports.js';
import { BUILT_MAIN, type Host, startHost } from '../support/host.js';

const CONFORMANCE = { A2A_CONFORMANCE_AGENT: '1' };

function say(text: string) {
  return { message: { messageId: `m-${text}`, role: 'ROLE_USER', parts: [{ text }] } };
}

async function interfaceOf(host: Host, binding: string): Promise<string> {
  const card = (await (await fetch(`${host.httpUrl}/.well-known/agent-card.json`)).json()) as {
    supportedInterfaces: { protocolBinding: string; url: string }[];
  };
  return card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === binding)?.url ?? '';
}

async function clientsOf(host: Host): Promise<A2aClient[]> {
  return [
    new JsonRpcClient(await interfaceOf(host, 'JSONRPC')),
    new RestClient(await interfaceOf(host, 'HTTP+JSON')),
    new GrpcClient(host.grpcUrl),
  ];
}

describe.each(['express', 'fastify'])('a host on %s that is told to stop', (adapter) => {
  let host: Host;
  let clients: A2aClient[] = [];

  async function start(env: Record<string, string> = {}): Promise<void> {
    host = await startHost({ env: { HTTP_ADAPTER: adapter, ...CONFORMANCE, ...env } });
    clients = await clientsOf(host);
  }

  afterEach(async () => {
    clients.forEach((client) => client.close());
    await host.kill('SIGKILL');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s when nothing runs', async (signal) => {
    await start();
    expect(await host.kill(signal)).toEqual({ code: 0, signal: null });
  });

  it('lets running turns end, tells their streams, and takes no new turns but every other call meanwhile', async () => {
    await start({ A2A_DRAIN_TIMEOUT_MS: '100000' });
    const streams = await Promise.all(clients.map((client) => client.stream(say(`/sleep ms=600000 ${client.wire}`))));
    const brief = await clients[0]?.stream(say('/sleep ms=1000'));
    const exited = host.stop();
    await host.logged('"msg":"Stopping"');

    expect((await fetch(`${host.httpUrl}/health/live`)).status).toBe(200);
    const ready = await fetch(`${host.httpUrl}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'draining' });
    for (const client of clients)
      await expect(client.send(say('/task'))).rejects.toMatchObject({ message: expect.stringMatching(/stopping/i) });

    expect((await brief?.rest())?.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
    for (const [index, stream] of streams.entries()) {
      const id = (await stream.next())?.item.task?.id ?? '';
      expect((await clients[index]?.getTask({ id }))?.id).toBe(id);
      await clients[index]?.cancelTask({ id });
      expect((await stream.rest()).at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_CANCELED');
    }
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('ends turns that take longer than the drain time as FAILED, and every stream with them', async () => {
    await start({ A2A_DRAIN_TIMEOUT_MS: '200' });
    const streams = await Promise.all(clients.map((client) => client.stream(say(`/sleep ms=60000 ${client.wire}`))));
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    for (const stream of streams) expect((await stream.rest()).at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_FAILED');
  });

  it('exits at once on a second signal', async () => {
    await start({ A2A_DRAIN_TIMEOUT_MS: '60000' });
    await clients[0]?.stream(say('/sleep ms=60000'));
    const exited = host.stop();
    await host.logged('"msg":"Stopping"');
    await host.kill('SIGTERM');
    expect(await exited).toEqual({ code: 143, signal: null });
  });

  it('is not held up by a connection that says nothing', async () => {
    await start({ A2A_DRAIN_TIMEOUT_MS: '0' });
    const silent = connect(Number(new URL(host.httpUrl).port), '127.0.0.1');
    await once(silent, 'connect');
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    silent.destroy();
  });
});

describe('a host whose log nobody reads any more', () => {
  it('stops all the same', async () => {
    const [port, grpcPort] = await freePorts(2);
    const env = { PATH: process.env.PATH, PORT: String(port), GRPC_PORT: String(grpcPort), DATABASE_URL: 'memory:' };
    const host = spawn(process.execPath, [BUILT_MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let log = '';
    for await (const chunk of host.stdout) {
      log += String(chunk);
      // Whoever leaves this loop closes the pipe.
      if (log.includes('"msg":"Ready"')) break;
    }
    host.kill('SIGTERM');
    expect(await once(host, 'exit')).toEqual([0, null]);
  });
});
