import { randomUUID } from 'node:crypto';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { reasonOf, say } from '../conformance/requests.js';
import { type Headers, useProtectedHost } from './protected-host.js';

const host = useProtectedHost();

const ANY_TIME = { durationMs: expect.any(Number) as number };
const ANY_OWNER = { owner: expect.stringMatching(/^[0-9a-f]{12}$/) as string };

/** What a line says when nobody was let in. Over JSON-RPC the body names the operation, and it has not been read. */
const STRANGER = {
  JSONRPC: { agentId: 'conformance', requestBytes: expect.any(Number) as number, ...ANY_TIME },
  'HTTP+JSON': { agentId: 'conformance', operation: 'GetTask', ...ANY_TIME },
  // Other agents of this host are open, so the message is read to find out which one is meant.
  GRPC: { agentId: 'conformance', operation: 'GetTask', taskId: 'some-task', ...ANY_OWNER, ...ANY_TIME },
} as const;

/** What it says of a request that was not understood. JSON is refused as text, before its method is looked at. */
const UNREADABLE = {
  JSONRPC: { agentId: 'conformance', requestBytes: expect.any(Number) as number, ...ANY_OWNER, ...ANY_TIME },
  'HTTP+JSON': {
    agentId: 'conformance',
    operation: 'SendMessage',
    requestBytes: expect.any(Number) as number,
    ...ANY_OWNER,
    ...ANY_TIME,
  },
  GRPC: { operation: 'SendMessage', ...ANY_OWNER, ...ANY_TIME },
} as const;

describe.each(WIRES)('The line of a call over %s', (wire: Wire) => {
  let client: A2aClient;
  let headers: Headers;
  beforeAll(async () => {
    client = await host().client('conformance', wire);
    headers = await host().bearer({ sub: `caller ${wire}` });
  });

  const linesOf = (outcome: string): object[] =>
    host()
      .process.logs.map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.msg === 'Call' && line.binding === wire && line.outcome === outcome)
      .map(({ level: _level, time: _time, msg: _msg, binding: _binding, outcome: _outcome, ...facts }) => facts);

  /** Lines are written in order, so once that of a later call is there, no other of an earlier call is still to come. */
  async function afterAnotherCall(): Promise<void> {
    const id = randomUUID();
    await reasonOf(client.getTask({ id }, { headers }));
    await host().process.logged('"msg":"Call"', id);
  }

  it('is there when nobody was let in, and names no caller [SECC-50]', async () => {
    const secret = `canary-${randomUUID()}`;
    const wrong = { headers: { authorization: `Bearer ${secret}` } };
    expect(await reasonOf(client.getTask({ id: 'some-task' }, wrong))).toBe('UNAUTHENTICATED');
    await afterAnotherCall();
    expect(linesOf('UNAUTHENTICATED')).toEqual([STRANGER[wire]]);
    expect(host().process.logs.join('\n')).not.toContain(secret);
  });

  it('is there when the request was not understood, with its caller [SECC-50]', async () => {
    expect(await reasonOf(client.send(say('nothing\u0000more'), { headers }))).toBe('INVALID_PARAMS');
    await afterAnotherCall();
    expect(linesOf('INVALID_PARAMS')).toEqual([UNREADABLE[wire]]);
  });

  it('is one, also where the agent itself refuses', async () => {
    const { length } = linesOf('TASK_NOT_FOUND');
    await afterAnotherCall();
    await afterAnotherCall();
    expect(linesOf('TASK_NOT_FOUND')).toHaveLength(length + 2);
  });
});
