import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { type Host, startHost } from '../support/host.js';

const DRIVER = join(process.cwd(), 'test/interop/python/drive.py');

/** A Python that has the official client: `A2A_PYTHON`, or the one that `npm run interop:python` makes. */
const PYTHON = process.env.A2A_PYTHON ?? join(tmpdir(), 'a2a-nest-python', 'bin', 'python');

function hasClient(): boolean {
  return (existsSync(PYTHON) || process.env.A2A_PYTHON !== undefined) && spawnSync(PYTHON, ['-c', 'import a2a.client']).status === 0;
}

const leftOut = it.skip;
if (hasClient()) {
  describeClient('express');
  describeClient('fastify');
} else leftOut('The official Python client is not installed: run `npm run interop:python`', () => {});

function describeClient(adapter: string): void {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ env: { A2A_CONFORMANCE_AGENT: '1', HTTP_ADAPTER: adapter } });
  });
  afterAll(async () => {
    await host?.stop();
  });

  describe.each(['JSONRPC', 'HTTP+JSON', 'GRPC'])(`The official Python client with ${adapter}, over %s`, (binding) => {
    let seen: Record<string, JsonValue>;
    beforeAll(async () => {
      const { stdout } = await promisify(execFile)(PYTHON, [DRIVER, host.httpUrl, binding], { timeout: 250_000 });
      seen = JSON.parse(stdout) as Record<string, JsonValue>;
    });

    it('gets a direct message [SEND-01]', () => {
      expect(seen.message).toMatchObject({ message: { role: 'ROLE_AGENT', parts: [{ text: 'hello' }] } });
    });

    it('gets a finished task [EXEC-01]', () => {
      expect(seen.task).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'ok' }] }] } });
    });

    it('sends and gets every kind of part [SER-08] [SER-10]', () => {
      expect(seen.parts).toMatchObject([
        { text: 'ż' },
        { raw: 'AP/+' },
        { url: 'https://a.example/x' },
        { data: { n: [1.5, null, true] } },
      ]);
    });

    it('streams a task from its first state to its last [STRM-01]', () => {
      const items = seen.stream as JsonObject[];
      expect(Object.keys(items[0] ?? {})).toEqual(['task']);
      expect(items.filter((item) => 'artifactUpdate' in item)).toHaveLength(10);
      expect(items.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    });

    it('answers a question and goes on with the task [TURN-12]', () => {
      expect(seen.question).toMatchObject([
        { status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
        { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'an answer' }] }] },
      ]);
    });

    it('reads a task with as much history as it wants [HIST-01]', () => {
      expect(seen.reading).toEqual([expect.any(Number), 0]);
      expect((seen.reading as number[])[0]).toBeGreaterThan(0);
    });

    it('pages through tasks [LIST-03] [LIST-04]', () => {
      expect(seen.pages).toEqual({ newestFirst: true, total: 5 });
    });

    it('subscribes to a task and sees it cancelled [SUBS-01] [CANC-07]', () => {
      const items = seen.cancellation as JsonObject[];
      expect(Object.keys(items[0] ?? {})).toEqual(['task']);
      expect(items.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } });
    });

    it('understands our errors by their names [ERR-03] [ERR-43]', () => {
      expect(seen.errors).toEqual({
        'unknown task': 'TaskNotFoundError',
        'cancel what is done': 'TaskNotCancelableError',
        'send to what is done': 'UnsupportedOperationError',
        'stream to what is done': 'UnsupportedOperationError',
        'subscribe to what is done': 'UnsupportedOperationError',
        'content type': 'ContentTypeNotSupportedError',
        // On gRPC the client has names for the errors of the protocol only.
        'page size': binding === 'GRPC' ? 'A2AClientError' : 'InvalidParamsError',
      });
    });

    it('registers a webhook, reads it without its token, lists it and deletes it [PCRE-01] [PGET-04]', () => {
      expect(seen.webhooks).toEqual({
        made: ['config', 'mine'],
        read: ['config', ''],
        listed: ['config'],
        'after delete': 'TaskNotFoundError',
      });
    });

    it('reaches another agent of the host by its own card [CARD-09]', () => {
      expect(JSON.stringify(seen.echo)).toContain('to the echo agent');
    });
  });
}
