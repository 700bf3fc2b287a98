import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { JsonRpcClient } from '../support/clients/json-rpc.js';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { errorOf, reasonOf, runTask, say } from './requests.js';

/** Tenants and several agents on one host: A2A §8.3.2 and the multi-tenancy topic. */
export function tenantsSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('Tenants over %s', (wire) => {
    const client = () => host().client(wire);
    /** Without a URL to name the agent, gRPC has it in front of the customer. */
    const named = (tenant: string): string => (wire === 'GRPC' ? `conformance/${tenant}` : tenant);

    it('keep their tasks from each other [TEN-06]', async () => {
      const [acme, other] = [named('acme'), named('other')];
      const contextId = randomUUID();
      const { task } = await client().send({ ...say('/ask', { contextId }), tenant: acme });
      const id = task?.id ?? '';
      expect((await client().getTask({ id, tenant: acme })).id).toBe(id);
      expect((await client().listTasks({ contextId, tenant: acme })).totalSize).toBe(1);
      for (const elsewhere of [{}, { tenant: other }] as JsonObject[]) {
        expect((await client().listTasks({ contextId, ...elsewhere })).totalSize).toBe(0);
        expect(await reasonOf(client().getTask({ id, ...elsewhere }))).toBe('TASK_NOT_FOUND');
        expect(await reasonOf(client().cancelTask({ id, ...elsewhere }))).toBe('TASK_NOT_FOUND');
        expect(await reasonOf(client().subscribe({ id, ...elsewhere }))).toBe('TASK_NOT_FOUND');
        expect(await reasonOf(client().send({ ...say('an answer', { taskId: id }), ...elsewhere }))).toBe('TASK_NOT_FOUND');
      }
      expect((await client().cancelTask({ id, tenant: acme })).status.state).toBe('TASK_STATE_CANCELED');
    });

    it('do not share page tokens [LIST-03] [TEN-06]', async () => {
      const [acme, other] = [named('acme'), named('other')];
      for (let i = 0; i < 2; i++) await client().send({ ...say('/task'), tenant: acme });
      const { nextPageToken } = await client().listTasks({ pageSize: 1, tenant: acme });
      const foreign = client().listTasks({ pageSize: 1, tenant: other, pageToken: nextPageToken });
      expect(await reasonOf(foreign)).toBe('INVALID_PARAMS');
    });

    it('are told to the agent as they are', async () => {
      const { task } = await client().send({ ...say('/whoami'), tenant: named('acme') });
      expect(task?.artifacts?.[0]?.parts[0]?.data).toMatchObject({ tenant: 'acme', agent: 'conformance' });
    });

    it('leave agents of one host apart: a task of one is unknown to the others [TEN-05]', async () => {
      const { id } = await runTask(client(), '/ask');
      const analyst = await host().connect('incident-analyst', wire);
      expect(await reasonOf(analyst.getTask({ id }))).toBe('TASK_NOT_FOUND');
      analyst.close();
      await client().cancelTask({ id });
    });
  });

  it('may be in the path, and then not be another one in the request [TEN-04] [JRPC-12]', async () => {
    const send = (path: string, tenant?: string) =>
      host().rest.request('POST', path, JSON.stringify({ ...say('/whoami'), ...(tenant && { tenant }) }));
    const inPath = await send('/acme/message:send');
    expect(JSON.parse(inPath.text)).toMatchObject({ task: { artifacts: [{ parts: [{ data: { tenant: 'acme' } }] }] } });
    expect((await send('/acme/message:send', 'acme')).status).toBe(200);
    expect((await send('/acme/message:send', 'other')).status).toBe(400);
    expect((await host().rest.request('GET', '/acme/tasks?tenant=other')).status).toBe(400);
  });

  it('may be in the address of JSON-RPC too [JRPC-12]', async () => {
    const answerTo = async (params: JsonObject): Promise<unknown> => {
      const inPath = new JsonRpcClient(`${host().jsonRpc.url}/acme`);
      return JSON.parse((await inPath.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }))).text);
    };
    const asAcme = { result: { task: { artifacts: [{ parts: [{ data: { tenant: 'acme' } }] }] } } };
    expect(await answerTo(say('/whoami'))).toMatchObject(asAcme);
    expect(await answerTo({ ...say('/whoami'), tenant: 'acme' })).toMatchObject(asAcme);
    expect(await answerTo({ ...say('/whoami'), tenant: 'other' })).toMatchObject({ error: { code: -32602 } });
  });

  it.each(['/tasks/message:send', '/..%2Facme/tasks', '/a%2Fb/tasks', '/a%00b/tasks', '/extendedAgentCard/tasks'])(
    'cannot be made up of words of the protocol or parts of a path: %s [TEN-07]',
    async (path) => {
      const { status } = await host().rest.request(path.endsWith('send') ? 'POST' : 'GET', path, path.endsWith('send') ? '{}' : undefined);
      expect(status).toBe(404);
    },
  );

  it('are no longer than other ids [TEN-03]', async () => {
    for (const wire of WIRES) {
      const error = await errorOf(
        host()
          .client(wire)
          .send({ ...say('/task'), tenant: 'x'.repeat(5_000) }),
      );
      expect(error.fields).toEqual(['tenant']);
    }
  });

  it.each(['__proto__', 'constructor', 'a/../b', "' OR 1=1 --"])('mean nothing to the host itself: %j [TEN-03]', async (tenant) => {
    for (const client of [host().jsonRpc, host().grpc]) {
      const { task } = await client.send({ ...say('/task'), tenant });
      expect((await client.listTasks({ tenant })).tasks.map(({ id }) => id)).toContain(task?.id);
      expect((await client.listTasks({ pageSize: 1 })).tasks.map(({ id }) => id)).not.toContain(task?.id);
    }
  });
}
