import { randomUUID } from 'node:crypto';
import { type A2aClient, WireError } from '../support/clients/a2a-client.js';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { errorOf, pathOn, runTask, say } from './requests.js';

/** Codes on JSON-RPC, REST and gRPC, and the name that REST gives the gRPC status: A2A §5.4, release 1.0.1. */
interface Codes {
  readonly JSONRPC: number;
  readonly 'HTTP+JSON': number;
  readonly GRPC: number;
  readonly status: string;
}

const NOT_FOUND: Codes = { JSONRPC: -32001, 'HTTP+JSON': 404, GRPC: 5, status: 'NOT_FOUND' };
const INVALID: Codes = { JSONRPC: -32602, 'HTTP+JSON': 400, GRPC: 3, status: 'INVALID_ARGUMENT' };
const precondition = (code: number): Codes => ({ JSONRPC: code, 'HTTP+JSON': 400, GRPC: 9, status: 'FAILED_PRECONDITION' });

type Provoke = (client: A2aClient) => Promise<unknown>;

const PROTOCOL_ERRORS: readonly [reason: string, codes: Codes, provoke: Provoke][] = [
  ['TASK_NOT_FOUND', NOT_FOUND, (client) => client.getTask({ id: randomUUID() })],
  ['TASK_NOT_CANCELABLE', precondition(-32002), async (client) => client.cancelTask({ id: (await runTask(client, '/task')).id })],
  ['UNSUPPORTED_OPERATION', precondition(-32004), async (client) => client.subscribe({ id: (await runTask(client, '/task')).id })],
  [
    'CONTENT_TYPE_NOT_SUPPORTED',
    { ...INVALID, JSONRPC: -32005 },
    (client) => client.send(say('', { parts: [{ text: 'x', mediaType: 'application/x-nobody' }] })),
  ],
  [
    'INVALID_AGENT_RESPONSE',
    { JSONRPC: -32006, 'HTTP+JSON': 500, GRPC: 13, status: 'INTERNAL' },
    (client) => client.send(say('/bad kind=two-messages')),
  ],
  ['VERSION_NOT_SUPPORTED', precondition(-32009), (client) => client.listTasks({}, { headers: { 'a2a-version': '99.0' } })],
];

/** Errors that need an agent without the capability; the host has to run profile `bare`. */
const CAPABILITY_ERRORS: readonly [reason: string, codes: Codes, provoke: Provoke][] = [
  ['UNSUPPORTED_OPERATION', precondition(-32004), (client) => client.stream(say('/task'))],
  ['UNSUPPORTED_OPERATION', precondition(-32004), (client) => client.subscribe({ id: 'any' })],
  ['UNSUPPORTED_OPERATION', precondition(-32004), (client) => client.call('GetExtendedAgentCard', {})],
  ...(
    [
      ['CreateTaskPushNotificationConfig', { taskId: 'any', url: 'https://example.com/hook' }],
      ['GetTaskPushNotificationConfig', { taskId: 'any', id: 'any' }],
      ['ListTaskPushNotificationConfigs', { taskId: 'any' }],
      ['DeleteTaskPushNotificationConfig', { taskId: 'any', id: 'any' }],
    ] as const
  ).map(([operation, request]): [string, Codes, Provoke] => [
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    precondition(-32003),
    (client) => client.call(operation, request),
  ]),
  [
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    precondition(-32003),
    (client) => client.send(say('/task', {}, { taskPushNotificationConfig: { url: 'https://example.com/hook' } })),
  ],
];

/** A2A §3.3.2, §5.4, §9.5, §10.6, §11.6. */
export function errorsSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('Errors over %s', (wire) => {
    it.each(PROTOCOL_ERRORS)(
      'says %s with its code, status, reason and domain [ERR-03] [ERR-04] [ERR-05]',
      async (reason, codes, provoke) => {
        expectProtocolError(await errorOf(provoke(host().client(wire))), wire, reason, codes);
      },
    );

    it('names every wrong member of a request [ERR-08] [LIST-08]', async () => {
      const error = await errorOf(host().client(wire).listTasks({ pageSize: 0, historyLength: -1 }));
      expect(error.code).toBe(INVALID[wire]);
      expect(error.fields.toSorted()).toEqual([pathOn(wire, 'historyLength'), pathOn(wire, 'pageSize')]);
    });

    it('gives every detail a type, and every error words [ERR-01]', async () => {
      for (const [, , provoke] of PROTOCOL_ERRORS) {
        const error = await errorOf(provoke(host().client(wire)));
        expect(error.message).toMatch(/\w+ \w+/);
        for (const detail of error.details) expect(detail['@type']).toMatch(/^type\.googleapis\.com\/google\.rpc\.\w+$/);
      }
    });
  });

  it('names the gRPC status in REST errors, and repeats the HTTP status [ERR-30]', async () => {
    const response = await host().rest.request('GET', '/tasks/nobody');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/a2a\+json/);
    expect(JSON.parse(response.text)).toEqual({
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: expect.any(String),
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: { taskId: 'nobody' },
          },
        ],
      },
    });
  });
}

/** A2A §3.3.4. */
export function capabilitiesSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('Undeclared capabilities over %s', (wire) => {
    it.each(CAPABILITY_ERRORS)('are refused with %s before any task is looked for [CAP-01] [CAP-07]', async (reason, codes, provoke) => {
      expectProtocolError(await errorOf(provoke(host().client(wire))), wire, reason, codes);
    });

    it('leave the other operations as they are [CAP-08]', async () => {
      const task = await runTask(host().client(wire), '/task');
      expect(await host().client(wire).getTask({ id: task.id })).toEqual(task);
    });
  });

  it('are not on the card [CARD-03]', () => {
    expect(host().card.capabilities).not.toMatchObject({ streaming: true });
    expect(host().card.capabilities).not.toMatchObject({ pushNotifications: true });
    expect(host().card.capabilities).not.toMatchObject({ extendedAgentCard: true });
  });
}

function expectProtocolError(error: WireError, wire: keyof Omit<Codes, 'status'>, reason: string, codes: Codes): void {
  expect({ code: error.code, reason: error.reason }).toEqual({ code: codes[wire], reason });
  expect(error.detail('ErrorInfo')).toMatchObject({ domain: 'a2a-protocol.org' });
  if (wire === 'JSONRPC') expect(error.httpStatus).toBe(200);
  if (wire === 'HTTP+JSON') expect(error.httpStatus).toBe(codes['HTTP+JSON']);
}
