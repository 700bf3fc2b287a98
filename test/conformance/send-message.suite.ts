import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { errorOf, messageOf, reasonOf, runTask, say, startTask, taskOf, textsOf } from './requests.js';

const FINISHED = [
  ['tck-complete-task', 'TASK_STATE_COMPLETED'],
  ['tck-task-failure', 'TASK_STATE_FAILED'],
  ['tck-reject-task', 'TASK_STATE_REJECTED'],
] as const;

/** A2A §3.1.1, §3.2.2, §3.2.4, §3.7. */
export function sendMessageSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('SendMessage over %s', (wire) => {
    const client = () => host().client(wire);

    it('answers with a message, and only that, when the agent makes no task [SEND-01] [SEND-02]', async () => {
      const response = await client().send(say('/echo hello'));
      expect(Object.keys(response)).toEqual(['message']);
      expect(messageOf(response)).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'hello' }] });
    });

    it('gives an agent message ids of its own and the context, but no task [TURN-02]', async () => {
      const request = say('/echo hello');
      const message = messageOf(await client().send(request));
      expect(message.messageId).toMatch(/./);
      expect(request).not.toMatchObject({ message: { messageId: message.messageId } });
      expect(message.contextId).toMatch(/./);
      expect(message).not.toHaveProperty('taskId');
    });

    it('waits for the end of the task and returns all of it [EXEC-01]', async () => {
      const response = await client().send(say('/task'));
      expect(Object.keys(response)).toEqual(['task']);
      const task = taskOf(response);
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
      expect(task.artifacts?.map(textsOf)).toEqual([['ok']]);
      expect(task.artifacts?.[0]?.artifactId).toMatch(/./);
    });

    it('makes the task id itself, and puts the message with both ids first into the history [TURN-07] [SEND-12]', async () => {
      const request = say('/task');
      const task = taskOf(await client().send(request));
      expect(task.id).toMatch(/./);
      expect(task.history?.[0]).toMatchObject({ ...(request.message as object), taskId: task.id, contextId: task.contextId });
    });

    it('answers at once when asked to, in a state that is not final [EXEC-02]', async () => {
      const task = await startTask(client(), '/sleep ms=60000');
      expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
      await client().cancelTask({ id: task.id });
    });

    it('ignores returnImmediately when the answer is a message [EXEC-03]', async () => {
      const response = await client().send(say('/echo quick', {}, { returnImmediately: true }));
      expect(textsOf(response.message)).toEqual(['quick']);
    });

    it.each([
      ['/ask', 'TASK_STATE_INPUT_REQUIRED'],
      ['/auth', 'TASK_STATE_AUTH_REQUIRED'],
    ])('stops waiting when %s interrupts the task [EXEC-01] [AUTHT-09]', async (text, state) => {
      const task = await runTask(client(), text);
      expect(task.status.state).toBe(state);
      expect(task.status.message?.role).toBe('ROLE_AGENT');
    });

    it.each(FINISHED)('reaches the final state that %s asks for', async (prefix, state) => {
      const task = await runTask(client(), 'go', { messageId: `${prefix}-${randomUUID()}` });
      expect(task.status.state).toBe(state);
    });

    it.each(FINISHED)('refuses a message for a task that %s ended [SEND-06]', async (prefix) => {
      const task = await runTask(client(), 'go', { messageId: `${prefix}-${randomUUID()}` });
      expect(await reasonOf(client().send(say('more', { taskId: task.id })))).toBe('UNSUPPORTED_OPERATION');
      expect(await reasonOf(client().stream(say('more', { taskId: task.id })))).toBe('UNSUPPORTED_OPERATION');
    });

    it('refuses a message for a canceled task [SEND-06]', async () => {
      const { id } = await startTask(client(), '/sleep ms=60000');
      await client().cancelTask({ id });
      expect(await reasonOf(client().send(say('more', { taskId: id })))).toBe('UNSUPPORTED_OPERATION');
    });

    it('never makes a task under an id that the client chose [SEND-05] [TURN-09]', async () => {
      const taskId = randomUUID();
      expect(await reasonOf(client().send(say('/task', { taskId })))).toBe('TASK_NOT_FOUND');
      expect(await reasonOf(client().getTask({ id: taskId }))).toBe('TASK_NOT_FOUND');
    });

    it('refuses a media type that the agent does not read [SEND-07]', async () => {
      const parts = [{ raw: 'AAAA', mediaType: 'application/x-nobody-reads-this' }];
      expect(await reasonOf(client().send(say('', { parts })))).toBe('CONTENT_TYPE_NOT_SUPPORTED');
    });

    it('refuses at once when it can produce nothing that the client accepts [SEND-10]', async () => {
      const request = say('/task', {}, { acceptedOutputModes: ['video/x-nobody-makes-this'] });
      expect(await reasonOf(client().send(request))).toBe('CONTENT_TYPE_NOT_SUPPORTED');
    });

    it('gives a follow-up the updated task [SEND-12]', async () => {
      const asked = await runTask(client(), '/ask');
      const answered = await runTask(client(), 'forty-two', { taskId: asked.id });
      expect(answered).toMatchObject({ id: asked.id, contextId: asked.contextId, status: { state: 'TASK_STATE_COMPLETED' } });
      expect(answered.artifacts?.map(textsOf)).toEqual([['forty-two']]);
    });

    describe('history', () => {
      const answered = async (configuration?: JsonObject) => {
        const asked = await runTask(client(), '/ask');
        return runTask(client(), 'an answer', { taskId: asked.id }, configuration);
      };

      it('is oldest first and holds both sides [HIST-05]', async () => {
        const { history = [] } = await answered();
        expect(history.map(({ role }) => role)).toEqual(['ROLE_USER', 'ROLE_AGENT', 'ROLE_USER']);
        expect([textsOf(history[0]), textsOf(history[2])]).toEqual([['/ask'], ['an answer']]);
      });

      it('is left out for historyLength 0 [HIST-01] [HIST-04]', async () => {
        expect(await answered({ historyLength: 0 })).not.toHaveProperty('history');
      });

      it('keeps the tail for historyLength 1 [HIST-02] [HIST-05]', async () => {
        const { history = [] } = await answered({ historyLength: 1 });
        expect(history.map(textsOf)).toEqual([['an answer']]);
      });

      it('is as long as there is for a large historyLength [HIST-02]', async () => {
        expect((await answered({ historyLength: 1_000 })).history).toHaveLength(3);
      });
    });

    describe('when the agent misbehaves', () => {
      it.each(['/throw when=before', '/throw when=after'])('fails the task of %s without showing the error [ERR-10]', async (text) => {
        const task = await runTask(client(), text);
        expect(task.status.state).toBe('TASK_STATE_FAILED');
        expect(textsOf(task.status.message).join()).toMatch(/./);
        expect(JSON.stringify(task)).not.toContain('secret-canary');
      });

      it('keeps what a throwing agent made before [ERR-10]', async () => {
        const task = await runTask(client(), '/throw when=after');
        expect(task.artifacts?.map(textsOf)).toEqual([['half of it']]);
      });

      it.each(['message-after-task', 'other-task', 'after-last-chunk'])(
        'fails the task that yields %s instead of passing it on [ERR-09]',
        async (kind) => {
          const task = await runTask(client(), `/bad kind=${kind}`);
          expect(task.status.state).toBe('TASK_STATE_FAILED');
          expect(JSON.stringify(task)).not.toMatch(/another-task|a message on its own|"more"/);
        },
      );

      it('takes nothing after the end of a task [TURN-16]', async () => {
        const task = await runTask(client(), '/bad kind=after-terminal');
        expect(task.status.state).toBe('TASK_STATE_COMPLETED');
        const { artifacts = [] } = await client().getTask({ id: task.id });
        expect(artifacts).toEqual([]);
      });

      it('takes an append to an artifact that nobody knows for a new one [DLV-09]', async () => {
        const task = await runTask(client(), '/bad kind=append-unknown');
        expect(task.artifacts?.map(textsOf)).toEqual([['more']]);
      });

      it('refuses a second direct answer [ERR-09]', async () => {
        expect(await reasonOf(client().send(say('/bad kind=two-messages')))).toBe('INVALID_AGENT_RESPONSE');
      });

      it('merges metadata of appended chunks [DLV-09]', async () => {
        const { artifacts = [] } = await runTask(client(), '/bad kind=append-metadata');
        expect(artifacts).toMatchObject([{ parts: [{ text: 'one' }, { text: 'two' }], metadata: { a: 1, b: 2 } }]);
      });
    });

    it.each([
      ['tck-artifact-text', { text: 'Generated text content' }],
      ['tck-artifact-file-url', { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' }],
      ['tck-artifact-file', { raw: 'R2VuZXJhdGVkIGZpbGUgY29udGVudAo=', filename: 'output.txt', mediaType: 'text/plain' }],
      ['tck-artifact-data', { data: { key: 'value', count: 42 } }],
    ])('carries the part of %s as it is [SER-08] [SER-10]', async (prefix, part) => {
      const task = await runTask(client(), 'go', { messageId: `${prefix}-${randomUUID()}` });
      expect(task.artifacts?.[0]?.parts).toEqual([part]);
    });

    it('keeps every kind of part, metadata, extensions and text of any script as they came [SER-10] [SER-18]', async () => {
      const parts: JsonObject[] = [
        { text: '', metadata: { n: 1.5, nil: null, list: [{ deep: [true] }] } },
        { text: 'żółć 漢字 🎉\u2028"\\', mediaType: 'text/plain' },
        { raw: 'AP/+', filename: 'a b.bin', mediaType: 'application/octet-stream' },
        { data: null },
        { data: { 'a.b': [1, 'x', false, null, { c: {} }] }, mediaType: 'application/json' },
      ];
      const message = { parts, metadata: { 'urn:x': { y: [1] } }, extensions: ['urn:x'] };
      const task = await runTask(client(), '', message);
      expect(task.history?.[0]).toMatchObject(message);
    });

    it('refuses a request without a message, naming it [SEND-08]', async () => {
      const error = await errorOf(client().send({}));
      expect(error.fields).toEqual(['message']);
    });
  });
}
