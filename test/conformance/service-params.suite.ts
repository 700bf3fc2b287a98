import { type A2aClient, type CallOptions } from '../support/clients/a2a-client.js';
import { type ConformanceHost, HTTP_WIRES, WIRES } from './conformance-host.js';
import { type StreamItemJson } from '../support/clients/wire-json.js';
import { errorOf, reasonOf, runTask, say } from './requests.js';

const version = (value: string | null): CallOptions => ({ headers: { 'a2a-version': value } });
const extensions = (value: string): CallOptions => ({ headers: { 'a2a-extensions': value } });

/** Protocol versions: A2A §3.6. */
export function versioningSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('A2A-Version over %s', (wire) => {
    const client = () => host().client(wire);

    it.each(['1.0', '1.0.1', '1.0.27'])('accepts %s: a patch number does not count [VER-01] [VER-02]', async (value) => {
      expect(await client().listTasks({ pageSize: 1 }, version(value))).toHaveProperty('tasks');
    });

    it.each([null, '', '0.3', '0.3.0', '1.1', '2.0', '99.0', '1', 'v1.0', 'abc', '1.0, 0.3', '1.0.x', '01.0000', '../1.0'])(
      'does not support %j [VER-05] [VER-06] [VER-08] [VER-09]',
      async (value) => {
        const error = await errorOf(client().listTasks({}, version(value)));
        expect(error.reason).toBe('VERSION_NOT_SUPPORTED');
        expect(error.detail('ErrorInfo')?.metadata).toMatchObject({ supportedVersions: '1.0' });
      },
    );

    it('checks the version of every operation, and before anything else about it [VER-06] [CAP-07]', async () => {
      const { id } = await runTask(client(), '/ask');
      for (const attempt of [...unary(client(), id), ...streams(client(), id)]) {
        expect(await reasonOf(attempt(version('99.0')))).toBe('VERSION_NOT_SUPPORTED');
      }
      expect((await client().getTask({ id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    });
  });

  describe('A2A-Version as a request parameter', () => {
    const send = (url: string, headers: Record<string, string>, body: unknown) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
    const rpc = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: { pageSize: 1 } };

    it('is as good as a header [VER-04]', async () => {
      const response = await fetch(`${host().rest.url}/tasks?A2A-Version=1.0`);
      expect(response.status).toBe(200);
      expect(await (await send(`${host().jsonRpc.url}?A2A-Version=1.0`, {}, rpc)).json()).toHaveProperty('result');
    });

    it('must not disagree with the header [VER-04]', async () => {
      const headers = { 'a2a-version': '1.0' };
      expect((await fetch(`${host().rest.url}/tasks?A2A-Version=0.3`, { headers })).status).toBe(400);
      expect(await (await send(`${host().jsonRpc.url}?A2A-Version=0.3`, headers, rpc)).json()).toMatchObject({ error: { code: -32602 } });
    });
  });
}

/** Extensions: A2A §4.6, §3.2.6. */
export function extensionsSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('A2A-Extensions over %s', (wire) => {
    const client = () => host().client(wire);

    it('ignores what the agent does not know, and echoes none of it [EXT-04] [EXT-05]', async () => {
      const { headers } = await client().call('SendMessage', say('/echo hi'), extensions('https://example.com/ext/v1, urn:unknown'));
      expect(headers.has('a2a-extensions')).toBe(false);
    });

    it.each([
      ['more than 32 URIs', Array.from({ length: 33 }, (_, i) => `urn:x:${i}`).join(',')],
      ['more than 2 KiB', `urn:${'x'.repeat(2_100)}`],
    ])('refuses %s', async (_, value) => {
      expect(await errorOf(client().send(say('/echo hi'), extensions(value)))).toMatchObject({ fields: ['A2A-Extensions'] });
    });
  });
}

/** Our own extension, on an agent that declares it: data-only, so nothing changes but metadata. */
export function eventSequenceSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('The event sequence extension over %s', (wire) => {
    const URI = 'urn:a2a-nest:extension:event-sequence:v1';
    let client: A2aClient;
    beforeAll(async () => {
      client = await host().connect('expense-approval', wire);
    });
    afterAll(() => client.close());

    const sequences = (items: StreamItemJson[]): unknown[] =>
      items.map((item) => (Object.values(item)[0] as { metadata?: Record<string, { sequence: number }> }).metadata?.[URI]?.sequence);

    it('numbers each item of a stream, upwards, and is echoed [EXT-02] [EXT-05] [EXT-08]', async () => {
      const stream = await client.stream(say('an expense'), extensions(URI));
      const numbers = sequences(await stream.rest()) as number[];
      expect(numbers.length).toBeGreaterThan(1);
      expect(numbers.every((number, i) => number > (numbers[i - 1] ?? 0))).toBe(true);
      expect(stream.headers.get('a2a-extensions')).toBe(URI);
    });

    it('is silent unless it is asked for [EXT-02]', async () => {
      expect(JSON.stringify(await (await client.stream(say('an expense'))).rest())).not.toContain(URI);
    });

    it('resumes a stream from a number it gave', async () => {
      const items = await (await client.stream(say('an expense'), extensions(URI))).rest();
      const id = items[0]?.task?.id ?? '';
      const headers = { 'a2a-extensions': URI, 'last-event-id': String(sequences(items)[0]) };
      const resumed = await client.subscribe({ id }, { headers });
      expect((await resumed.next())?.item).toEqual(items[1]);
      resumed.close();
      await client.cancelTask({ id });
    });
  });
}

/** An agent with a required extension. The host has to run profile `extension`. */
export function requiredExtensionSuite(host: () => ConformanceHost): void {
  const REQUIRED = 'urn:a2a:tck:required-extension';

  describe.each(WIRES)('A required extension over %s', (wire) => {
    const client = () => host().client(wire);

    it.each([
      ['not at all', {}],
      ['in another version', extensions(`${REQUIRED}/v2`)],
      ['in other letters', extensions(REQUIRED.toUpperCase())],
    ])('is missed in every operation that asks for it %s [EXT-06] [EXT-07]', async (_, options) => {
      for (const attempt of [...unary(client(), 'some-task'), ...streams(client(), 'some-task')]) {
        const error = await errorOf(attempt(options));
        expect(error.reason).toBe('EXTENSION_SUPPORT_REQUIRED');
        expect(error.detail('ErrorInfo')?.metadata).toMatchObject({ extensions: REQUIRED });
      }
    });

    it('is activated, told to the agent and echoed, and nothing else is [EXT-02] [EXT-05]', async () => {
      const { body, headers } = await client().call('SendMessage', say('/whoami'), extensions(`urn:unknown, ${REQUIRED}`));
      expect(headers.get('a2a-extensions')).toBe(REQUIRED);
      expect(body).toMatchObject({ task: { artifacts: [{ parts: [{ data: { activatedExtensions: [REQUIRED] } }] }] } });
    });

    it('is echoed on streams too [EXT-05]', async () => {
      const stream = await client().stream(say('/task'), extensions(REQUIRED));
      await stream.rest();
      expect(stream.headers.get('a2a-extensions')).toBe(REQUIRED);
    });
  });

  it.each(HTTP_WIRES)('is not needed to read the card, over %s neither [EXT-06]', async () => {
    const response = await fetch(`${host().httpUrl}/.well-known/agent-card.json`);
    expect(await response.json()).toMatchObject({ capabilities: { extensions: [{ uri: REQUIRED, required: true }] } });
  });
}

type Attempt = (options: CallOptions) => Promise<unknown>;

function unary(client: A2aClient, id: string): Attempt[] {
  const config = { taskId: id, id: 'config' };
  return [
    (options) => client.send(say('x', { taskId: id }), options),
    (options) => client.getTask({ id }, options),
    (options) => client.listTasks({}, options),
    (options) => client.cancelTask({ id }, options),
    (options) => client.call('CreateTaskPushNotificationConfig', { taskId: id, url: 'https://example.com/hook' }, options),
    (options) => client.call('GetTaskPushNotificationConfig', config, options),
    (options) => client.call('ListTaskPushNotificationConfigs', { taskId: id }, options),
    (options) => client.call('DeleteTaskPushNotificationConfig', config, options),
  ];
}

function streams(client: A2aClient, id: string): Attempt[] {
  return [(options) => client.stream(say('x', { taskId: id }), options), (options) => client.subscribe({ id }, options)];
}
