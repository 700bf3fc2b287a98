import { type A2aClient, type CallOptions, WireError } from '../support/clients/a2a-client.js';
import { GrpcClient } from '../support/clients/grpc.js';
import { JsonRpcClient } from '../support/clients/json-rpc.js';
import { RestClient } from '../support/clients/rest.js';
import { type Host, startHost } from '../support/host.js';

const CANARY = 'canary5d1e77';

/** Credentials as clients send them, rightly or by mistake. */
const HEADERS: CallOptions['headers'] = {
  authorization: `Bearer ${CANARY}-token-value`,
  'x-api-key': CANARY,
  cookie: `session=${CANARY}`,
};

function lines(host: Host): Record<string, unknown>[] {
  return host.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log of a host at its most talkative', () => {
  let host: Host;
  let clients: A2aClient[];

  beforeAll(async () => {
    host = await startHost({ env: { A2A_CONFORMANCE_AGENT: '1', LOG_LEVEL: 'trace', A2A_SECRET: `${CANARY}-of-at-least-32-characters` } });
    const card = (await (await fetch(`${host.httpUrl}/.well-known/agent-card.json`)).json()) as {
      supportedInterfaces: { protocolBinding: string; url: string }[];
    };
    const urlOf = (binding: string) => card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === binding)?.url ?? '';
    clients = [new JsonRpcClient(urlOf('JSONRPC')), new RestClient(urlOf('HTTP+JSON')), new GrpcClient(host.grpcUrl)];
  });

  afterAll(async () => {
    clients.forEach((client) => client.close());
    await host.stop();
  });

  it('has one line for each call, with what an operator asks for and nothing of what was said [E17]', async () => {
    for (const client of clients) {
      const { task } = await client.send(
        { message: { messageId: client.wire, role: 'ROLE_USER', parts: [{ text: `/task my password is ${CANARY}` }] } },
        { headers: HEADERS },
      );
      await host.logged('"msg":"Call"', task?.id ?? '');
      const call = lines(host).filter(({ msg, taskId }) => msg === 'Call' && taskId === task?.id);
      expect(call).toEqual([
        expect.objectContaining({
          level: 'info',
          binding: client.wire,
          operation: 'SendMessage',
          agentId: 'conformance',
          outcome: 'ok',
          durationMs: expect.any(Number),
          owner: expect.stringMatching(/^[0-9a-f]{12}$/),
        }),
      ]);
    }
    expect(host.logs.join('\n')).not.toContain(CANARY);
  });

  it('says why a call was refused', async () => {
    for (const client of clients) {
      await expect(client.getTask({ id: 'absent' }, { headers: HEADERS })).rejects.toThrow('Task not found');
      const line = JSON.parse(await host.logged('"msg":"Call"', `"binding":"${client.wire}"`, '"operation":"GetTask"')) as object;
      expect(line).toMatchObject({ taskId: 'absent', outcome: 'TASK_NOT_FOUND' });
    }
    expect(host.logs.join('\n')).not.toContain(CANARY);
  });

  it("keeps an agent's error for the log, under the id that the caller gets [E15]", async () => {
    for (const client of clients) {
      const { task } = await client.send({
        message: { messageId: `t-${client.wire}`, role: 'ROLE_USER', parts: [{ text: '/throw when=before' }] },
      });
      const answer = JSON.stringify(task);
      expect(answer).not.toContain('secret-canary-7f3');
      const line = JSON.parse(await host.logged('"level":"error"', task?.id ?? '')) as Record<string, unknown>;
      expect(line).toMatchObject({ error: { message: expect.stringContaining('secret-canary-7f3'), stack: expect.any(String) } });
      expect(answer).toContain(String(line.errorId));
    }
  });

  it('survives text that tries to be a line of its own [E18]', async () => {
    const forged = 'x\n{"level":"error","msg":"forged"}';
    for (const client of clients) {
      await expect(client.getTask({ id: forged })).rejects.toBeInstanceOf(WireError);
    }
    expect(lines(host).some(({ msg }) => msg === 'forged')).toBe(false);
  });
});

describe('a host that meets an error nobody caught', () => {
  it.each([
    ['a throw', 'throw new Error'],
    ['a rejection', 'Promise.reject(new Error'],
  ])('ends on %s and keeps its credentials out of the log [E17]', async (_, statement) => {
    const raise = `${statement}("token=${CANARY}")${statement.includes('(') ? ')' : ''}`;
    const host = await startHost({
      env: { NODE_OPTIONS: `--import=data:text/javascript,process.once('SIGUSR2',()=>{${encodeURIComponent(raise)}})` },
    });
    expect(await host.kill('SIGUSR2')).toEqual({ code: 1, signal: null });
    expect(host.logs.at(-1)).toContain('"msg":"The host ends on an error that nobody caught"');
    expect(host.logs.join('\n')).not.toContain(CANARY);
  });
});
