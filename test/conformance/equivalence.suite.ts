import { randomUUID } from 'node:crypto';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { type A2aClient, WireError } from '../support/clients/a2a-client.js';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { faultsOf } from './strict-schema.js';
import { runTask, say, startTask, taskOf } from './requests.js';

/** Members whose values differ from run to run; equal values stay equal. */
const MASKED: ReadonlySet<string> = new Set(['id', 'taskId', 'contextId', 'messageId', 'artifactId', 'timestamp', 'nextPageToken']);

/** Ids of errors, within texts. */
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

type Step = (client: A2aClient) => Promise<unknown>;

/** One scenario, run over each wire: A2A §5.1. */
export function equivalenceSuite(host: () => ConformanceHost): void {
  describe('One scenario over the three wires [CONF-02] [DATA-02]', () => {
    const records = new Map<string, Record<string, JsonValue>>();

    beforeAll(async () => {
      for (const wire of WIRES) records.set(wire, await record(host().client(wire)));
    });

    it.each(WIRES.slice(1))('has the same results over %s as over JSONRPC, ids and times aside', (wire) => {
      expect(records.get(wire)).toEqual(records.get('JSONRPC'));
    });

    it('writes messages as the schema has them, closed to anything else [SER-01] [SER-21] [DATA-02]', () => {
      const results = records.get('HTTP+JSON') ?? {};
      for (const [step, message] of Object.entries(WRITTEN)) {
        for (const json of [results[step]].flat()) expect([step, faultsOf(message, json)]).toEqual([step, []]);
      }
    });

    it('has a result for each step, errors among them', () => {
      const results = records.get('JSONRPC') ?? {};
      expect(Object.keys(results)).toEqual(Object.keys(SCENARIO));
      expect(results['an unknown task']).toEqual({ error: 'TASK_NOT_FOUND' });
      expect(results['a task']).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    });
  });
}

/** Steps whose results are whole messages. */
const WRITTEN: Readonly<Record<string, string>> = {
  'a message': 'SendMessageResponse',
  'a task': 'SendMessageResponse',
  'a stream': 'StreamResponse',
  'a streamed message': 'StreamResponse',
  'a subscription': 'StreamResponse',
  'a cancellation': 'Task',
  'every kind of part': 'SendMessageResponse',
  'a failure': 'SendMessageResponse',
  'a page': 'ListTasksResponse',
  'an empty page': 'ListTasksResponse',
};

const contextOf = new WeakMap<A2aClient, string>();

const SCENARIO: Record<string, Step> = {
  'a message': (client) => client.send(say('/echo hello')),
  'a task': (client) => client.send(say('/task', { contextId: contextOf.get(client) ?? '' })),
  'a stream': async (client) => (await client.stream(say('/stream n=5 bytes=10'))).rest(),
  'a streamed message': async (client) => (await client.stream(say('/echo hello'))).rest(),
  'a question and its answer': async (client) => {
    const asked = await runTask(client, '/ask', { contextId: contextOf.get(client) ?? '' });
    const answered = await runTask(client, 'an answer', { taskId: asked.id });
    return { asked, answered, read: await client.getTask({ id: asked.id, historyLength: 2 }) };
  },
  'a subscription': async (client) => {
    const { id } = await runTask(client, '/ask');
    const stream = await client.subscribe({ id });
    await client.send(say('an answer', { taskId: id }));
    return stream.rest();
  },
  'a cancellation': async (client) => {
    const { id } = await runTask(client, '/ask');
    return [await client.cancelTask({ id }), await client.cancelTask({ id })];
  },
  'every kind of part': (client) =>
    client.send(
      say('', {
        parts: [
          { text: 'ż' },
          { raw: 'AP/+', mediaType: 'application/octet-stream' },
          { url: 'https://a.example/x', mediaType: 'text/plain' },
          { data: { n: [1.5, null] } },
        ],
        metadata: { a: null },
      }),
    ),
  'a failure': (client) => client.send(say('/throw when=after')),
  'a forbidden event': (client) => client.send(say('/bad kind=message-after-task')),
  'a page': (client) => client.listTasks({ contextId: contextOf.get(client) ?? '', pageSize: 1, includeArtifacts: true, historyLength: 1 }),
  'an empty page': (client) => client.listTasks({ contextId: randomUUID() }),
  'an unknown task': (client) => client.getTask({ id: randomUUID() }),
  'a finished task': async (client) => client.send(say('more', { taskId: (await runTask(client, '/task')).id })),
  'a task that cannot be canceled': async (client) => client.cancelTask({ id: (await runTask(client, '/task')).id }),
  'a bad page size': (client) => client.listTasks({ pageSize: 0 }),
  'an unsupported version': (client) => client.listTasks({}, { headers: { 'a2a-version': '2.0' } }),
  'an unsupported content type': (client) => client.send(say('', { parts: [{ text: 'x', mediaType: 'application/x-nobody' }] })),
  'a context that is not the task’s': async (client) => {
    const { id } = await runTask(client, '/ask');
    return client.send(say('an answer', { taskId: id, contextId: randomUUID() }));
  },
  'a detached start': async (client) => {
    const { id } = await startTask(client, '/stream n=3 bytes=10 every=10');
    return (await (await client.subscribe({ id }, { headers: { 'last-event-id': '1' } })).rest()).at(-1);
  },
  'an extended card': (client) => client.call('GetExtendedAgentCard', {}),
  'a webhook': async (client) => client.call('ListTaskPushNotificationConfigs', { taskId: taskOf(await client.send(say('/task'))).id }),
};

async function record(client: A2aClient): Promise<Record<string, JsonValue>> {
  contextOf.set(client, randomUUID());
  const results: Record<string, JsonValue> = {};
  for (const [name, step] of Object.entries(SCENARIO)) {
    const outcome = await step(client).catch((error: unknown) => {
      if (error instanceof WireError) return { error: error.reason };
      throw error;
    });
    results[name] = mask(outcome as JsonValue, new Map());
  }
  return results;
}

/** Replaces each id by its turn of appearance, so that `taskId` of an event still has to be the `id` of its task. */
function mask(value: JsonValue, seen: Map<string, string>, key = ''): JsonValue {
  if (typeof value === 'string' && MASKED.has(key) && value !== '') {
    const stand = key === 'timestamp' ? '2026-01-01T00:00:00Z' : (seen.get(value) ?? `#${seen.size + 1}`);
    if (key !== 'timestamp') seen.set(value, stand);
    return stand;
  }
  if (typeof value === 'string') return value.replace(UUID, 'some id');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, seen, key));
  const sorted = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, item]) => [name, mask(item, seen, name)]));
}
