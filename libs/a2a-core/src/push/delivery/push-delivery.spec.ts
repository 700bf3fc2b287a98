import { createHmac, createPublicKey, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Deferred } from '../../execution/deferred.js';
import { type TurnContext } from '../../execution/turn-context.js';
import { EVENT_SEQUENCE_EXTENSION, EVENT_SEQUENCE_URI } from '../../extensions/event-sequence.extension.js';
import { CancelTaskRequestSchema, type Task } from '../../gen/a2a_pb.js';
import { create } from '@bufbuild/protobuf';
import { artifact, userMessage } from '../../protocol/messages.js';
import { HOOK, PushEngine } from '../../testing/push-engine.js';
import { incomingCall } from '../../testing/test-engine.js';
import { PushOperations } from '../push-operations.js';
import { WebhookAccess } from './webhook-access.js';
import { WebhookKeys } from '../secrets/webhook-signer.js';

const HOUR = 3_600_000;
const SCOPE = { agentId: 'scripted', tenant: '', owner: 'anonymous' };

/** A skill that works until its spec lets it go on. */
function stepwise() {
  const gates = [new Deferred<void>(), new Deferred<void>(), new Deferred<void>()];
  async function* run(turn: TurnContext) {
    yield turn.working('one');
    await gates[0]?.promise;
    yield turn.working('two');
    await gates[1]?.promise;
    yield turn.working('three');
    await gates[2]?.promise;
    yield turn.completed();
  }
  return { run, go: (step: number) => gates[step]?.resolve() };
}

describe('deliveries', () => {
  let push: PushEngine;
  const start = async (...facts: Parameters<typeof PushEngine.start>) => (push = await PushEngine.start(...facts));
  afterEach(() => push.close());

  const three = (turn: TurnContext) =>
    (async function* () {
      yield turn.working('busy');
      yield turn.artifact('result');
      yield turn.completed();
    })();
  const operations = () => push.engine.get(PushOperations);
  const begin = async (message: string, config = { id: 'c', url: HOOK }): Promise<Task> =>
    push.engine.sendForTask(message, { configuration: { taskPushNotificationConfig: config, returnImmediately: true } });

  it('carry every update of a task to a webhook that came with its message, in order, from the first on [PUSH-15] [PUSH-20]', async () => {
    await start();
    await push.sendWithHook(push.script('three', three));
    await push.receivers.until(4);
    expect(push.briefs).toEqual(['task SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED']);
  });

  it('leave out what was before a config that came later [PUSH-16]', async () => {
    await start();
    const { run, go } = stepwise();
    const task = await push.engine.sendForTask(push.script('stepwise', run), { configuration: { returnImmediately: true } });
    await push.clock.advance(0);
    await push.create({ taskId: task.id, url: HOOK });
    go(0);
    await push.receivers.until(1);
    expect(push.briefs).toEqual(['status WORKING']);
    expect(push.receivers.posts[0]?.body).toContain('two');
  });

  it('never carry what clients say, and go on with later turns [PUSH-15]', async () => {
    await start();
    const asks = push.script('asks', (turn) => (turn.task ? turn.completed() : turn.requireInput('what?')));
    const task = await push.sendWithHook(asks);
    await push.receivers.until(2);
    await push.clock.advance(5_000);
    await push.engine.sendForTask(userMessage('this', { taskId: task.id }));
    await push.receivers.until(4);
    expect(push.briefs).toEqual(['task SUBMITTED', 'status INPUT_REQUIRED', 'status SUBMITTED', 'status COMPLETED']);
  });

  it('tell of a cancel [CANC-07]', async () => {
    await start();
    const task = await begin(push.script('stepwise', stepwise().run));
    await push.receivers.until(2);
    void push.engine.handler.cancelTask(create(CancelTaskRequestSchema, { id: task.id }), incomingCall());
    await push.clock.advance(10_000);
    await push.receivers.until(3);
    expect(push.briefs.at(-1)).toBe('status CANCELED');
  });

  describe('look', () => {
    it('as A2A says: a bare StreamResponse with credentials and token [PUSH-10] [PUSH-11] [PUSH-12] [PUSH-13] [PUSH-14]', async () => {
      await start();
      const authentication = { scheme: 'bearer', credentials: 'secret' };
      await push.sendWithHook(push.script('three', three), { url: HOOK, token: 'mine', authentication });
      const [post] = await push.receivers.until(1);
      expect(post?.url).toBe(HOOK);
      expect(Object.keys(JSON.parse(post?.body ?? '') as object)).toEqual(['task']);
      expect(post?.headers).toMatchObject({
        'content-type': 'application/a2a+json',
        'a2a-version': '1.0',
        authorization: 'Bearer secret',
        'x-a2a-notification-token': 'mine',
      });
      expect(post?.options).toMatchObject({ timeoutMs: 15_000, maxBytes: 65_536, drop: true });
    });

    it('without credentials when there are none [PUSH-12]', async () => {
      await start();
      await push.sendWithHook(push.script('three', three));
      const [post] = await push.receivers.until(1);
      expect(Object.keys(post?.headers ?? {})).not.toContain('authorization');
      expect(Object.keys(post?.headers ?? {})).not.toContain('x-a2a-notification-token');
    });

    it('signed with a key that the host publishes [C15]', async () => {
      await start({ push: { previousSecrets: ['the secret that this host had before'] } });
      await push.sendWithHook(push.script('three', three));
      const [post] = await push.receivers.until(1);
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = post?.headers ?? {};
      const { keys } = push.engine.get(WebhookKeys).jwks;
      expect(keys).toHaveLength(2);
      expect(Number(at)).toBe(Math.floor(push.clock.now() / 1_000));
      const content = Buffer.from(`${id}.${at}.${post?.body}`);
      const results = signatures.split(' ').map((signature, index) => {
        const key = createPublicKey({ key: { ...keys[index] }, format: 'jwk' });
        return verify(null, content, key, Buffer.from(signature.replace('v1a,', ''), 'base64'));
      });
      expect(results).toEqual([true, true]);
    });

    it('signed with the secret of the client too, which is then not sent', async () => {
      await start();
      const secret = Buffer.alloc(32, 7).toString('base64');
      await push.sendWithHook(push.script('three', three), { url: HOOK, token: `whsec_${secret}` });
      const [post] = await push.receivers.until(1);
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = post?.headers ?? {};
      const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${at}.${post?.body}`).digest('base64');
      expect(signatures.split(' ')).toContain(`v1,${mac}`);
      expect(JSON.stringify(post?.headers)).not.toContain(secret);
    });

    it('with sequence numbers, when the client asked for them', async () => {
      await start({ agent: { extensions: [EVENT_SEQUENCE_EXTENSION] } });
      const call = incomingCall({ headers: { 'a2a-extensions': EVENT_SEQUENCE_URI } });
      const configuration = { taskPushNotificationConfig: { url: HOOK } };
      await push.engine.sendForTask(push.script('three', three), { configuration }, call);
      const posts = await push.receivers.until(4);
      const sequences = posts.map(({ body }) => /"sequence":(\d+)/.exec(body)?.[1]);
      expect(sequences).toEqual(['1', '2', '3', '4']);
      expect(posts[0]?.headers['a2a-extensions']).toBe(EVENT_SEQUENCE_URI);
    });
  });

  describe('of artifacts', () => {
    const chunks = (turn: TurnContext) =>
      (async function* () {
        const chunk = (text: string, append: boolean, lastChunk: boolean) =>
          turn.artifactChunk(artifact(text, { artifactId: 'x' }), { append, lastChunk });
        yield chunk('a', false, false);
        yield chunk('b', true, false);
        yield chunk('c', true, true);
        yield turn.artifact('whole');
        yield turn.completed();
      })();
    const ARTIFACTS = {
      complete: ['artifact a', 'artifact a,b,c', 'artifact whole'],
      all: ['artifact a', 'artifact b+', 'artifact c+', 'artifact whole'],
      none: [],
    } as const;

    it.each(Object.entries(ARTIFACTS))('follow the host: %s [PUSH-15]', async (artifactUpdates, expected) => {
      await start({ push: { artifactUpdates: artifactUpdates as keyof typeof ARTIFACTS } });
      await push.sendWithHook(push.script('chunks', chunks));
      await push.receivers.until(expected.length + 2);
      expect(push.briefs.slice(1, -1)).toEqual(expected);
    });

    it('follow the agent before the host', async () => {
      await start({ push: { artifactUpdates: 'all' }, agent: { webhooks: { artifactUpdates: 'none' } } });
      await push.sendWithHook(push.script('chunks', chunks));
      await push.receivers.until(2);
      expect(push.briefs).toEqual(['task SUBMITTED', 'status COMPLETED']);
    });
  });

  describe('that fail', () => {
    it.each([500, 503, 429, 408, 425, 302, 'network', 'timeout'] as const)(
      'with %s are tried again, and nothing overtakes them [PUSH-24]',
      async (failure) => {
        await start();
        push.receivers.answer = (_post, index) => (index < 2 ? failure : 200);
        await push.sendWithHook(push.script('three', three));
        await push.receivers.until(1);
        await push.clock.advance(4 * 60_000);
        expect(push.briefs).toEqual(['task SUBMITTED', 'task SUBMITTED']);
        await push.clock.advance(3 * 60_000);
        expect(push.briefs.slice(2)).toEqual(['task SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED']);
        const [first, second, third] = push.receivers.posts;
        expect(new Set([first, second, third].map((post) => post?.headers['webhook-id'])).size).toBe(1);
        expect(new Set([first, second, third].map((post) => post?.headers['webhook-timestamp'])).size).toBe(3);
        expect(new Set([first, second, third].map((post) => post?.body)).size).toBe(1);
      },
    );

    it('wait as long as the receiver asks, up to a day', async () => {
      await start();
      push.receivers.answer = (_post, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '600' } } : 200);
      await push.sendWithHook(push.script('three', three));
      await push.receivers.until(1);
      await push.clock.advance(599_000);
      expect(push.briefs).toHaveLength(1);
      await push.clock.advance(3_000);
      expect(push.briefs).toHaveLength(5);
    });

    it('ten times over days are kept for an operator, who sends them again in order [PUSH-23]', async () => {
      await start();
      push.receivers.answer = () => 500;
      const task = await push.sendWithHook(push.script('three', three), { id: 'c', url: HOOK });
      await push.receivers.until(1);
      for (let hour = 0; hour < 100; hour++) await push.clock.advance(HOUR);
      expect(push.briefs).toHaveLength(10);
      const ref = { scope: SCOPE, taskId: task.id, configId: 'c' };
      const { items } = await operations().troubled(10);
      expect(items).toMatchObject([
        { ref, config: { status: 'disabled', reason: 'exhausted' }, deadLetters: [{ version: 1, reason: '500' }] },
      ]);
      expect(await operations().stateFor(SCOPE, task.id, 'c')).toBe('disabled');
      push.receivers.answer = () => 200;
      expect(await operations().replay(ref, 'ada')).toBe(true);
      await push.receivers.until(14);
      expect(push.briefs.slice(10)).toEqual(['task SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED']);
      await push.clock.advance(0);
      expect(await operations().stateFor(SCOPE, task.id, 'c')).toBe('delivered');
      expect((await operations().troubled(10)).items).toEqual([]);
      expect(push.engine.logged.find(({ facts }) => facts?.['operator'] === 'ada')).toMatchObject({
        facts: { event: 'push_config.replay', taskId: task.id },
      });
    });

    it('can be given up by an operator: what works loses its dead letters, what does not is removed [PUSH-23]', async () => {
      await start({ push: { retryDelaysMs: [] } });
      const message = push.script('three', three);
      push.receivers.answer = ({ url }, index) => (url === HOOK ? (index === 1 ? 404 : 200) : 500);
      const works = await push.sendWithHook(message, { id: 'c', url: HOOK });
      await push.receivers.until(4);
      const fails = await push.sendWithHook(message, { id: 'c', url: 'https://down.example/' });
      await push.receivers.until(5);
      await push.clock.advance(0);
      const refOf = ({ id }: Task) => ({ scope: SCOPE, taskId: id, configId: 'c' });
      expect((await operations().troubled(10)).items.map(({ ref }) => ref)).toEqual([refOf(works), refOf(fails)]);
      expect(await operations().drop(refOf(works), 'ada')).toBe('letters');
      expect(await operations().drop(refOf(fails), 'ada')).toBe('webhook');
      expect(await operations().drop(refOf(fails), 'ada')).toBe('unknown');
      expect((await operations().troubled(10)).items).toEqual([]);
      expect(await operations().stateFor(SCOPE, works.id, 'c')).toBe('delivered');
      await expect(push.get(fails.id, 'c')).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
      const noted = push.engine.logged.flatMap(({ facts }) => (facts?.['event'] === 'push_config.drop' ? [facts['outcome']] : []));
      expect(noted).toEqual(['ok', 'ok', 'failed']);
    });

    it.each([400, 401, 404, 413, 'blocked'] as const)(
      'for good with %s become dead letters, and the others go on [PUSH-24]',
      async (refusal) => {
        await start();
        push.receivers.answer = (_post, index) => (index === 1 ? refusal : 200);
        const task = await push.sendWithHook(push.script('three', three), { id: 'c', url: HOOK });
        await push.receivers.until(4);
        await push.clock.advance(0);
        const { items } = await operations().troubled(10);
        expect(items).toMatchObject([
          { config: { status: 'finished' }, deadLetters: [{ version: 2, reason: String(refusal), attempts: 1 }] },
        ]);
        await operations().replay({ scope: SCOPE, taskId: task.id, configId: 'c' }, 'ada');
        await push.receivers.until(7);
        expect(push.briefs.slice(4)).toEqual(['status WORKING', 'artifact result', 'status COMPLETED']);
        const ids = push.receivers.posts.map(({ headers }) => headers['webhook-id']);
        expect(ids.slice(4)).toEqual(ids.slice(1, 4));
      },
    );

    it('with 410 disable the webhook at once; registered again it goes on where it was [C18]', async () => {
      await start();
      push.receivers.answer = (_post, index) => (index === 1 ? 410 : 200);
      const task = await push.sendWithHook(push.script('three', three), { id: 'c', url: HOOK });
      await push.receivers.until(2);
      await push.clock.advance(10 * HOUR);
      expect(push.briefs).toHaveLength(2);
      expect(await operations().stateFor(SCOPE, task.id, 'c')).toBe('disabled');
      await push.create({ taskId: task.id, id: 'c', url: `${HOOK}/new` });
      const posts = await push.receivers.until(5);
      expect(push.briefs.slice(2)).toEqual(['status WORKING', 'artifact result', 'status COMPLETED']);
      expect(posts[2]?.url).toBe(`${HOOK}/new`);
    });

    it('say retrying to their owner and no more [C20]', async () => {
      await start();
      push.receivers.answer = () => 'network';
      const task = await push.sendWithHook(push.script('three', three), { id: 'c', url: HOOK });
      await push.receivers.until(1);
      await push.clock.advance(0);
      expect(await operations().stateFor(SCOPE, task.id, 'c')).toBe('retrying');
      expect(await operations().stateFor({ ...SCOPE, owner: 'bob' }, task.id, 'c')).toBeUndefined();
      expect(Object.keys(await push.get(task.id, 'c')).toSorted()).toEqual(['$typeName', 'id', 'taskId', 'tenant', 'token', 'url']);
    });
  });

  describe('end', () => {
    it('with the config, queued retries too [PDEL-01]', async () => {
      await start();
      push.receivers.answer = () => 500;
      const task = await push.sendWithHook(push.script('three', three), { id: 'c', url: HOOK });
      await push.receivers.until(1);
      await push.delete(task.id, 'c');
      await push.clock.advance(24 * HOUR);
      expect(push.briefs).toHaveLength(1);
    });

    it('with the config, in the middle of one that is on its way [PDEL-01]', async () => {
      await start();
      push.receivers.answer = () => new Deferred<number>().promise;
      const task = await push.sendWithHook(push.script('three', three), { id: 'c', url: HOOK });
      const [post] = await push.receivers.until(1);
      await push.delete(task.id, 'c');
      expect(post?.options.signal?.aborted).toBe(true);
      await push.clock.advance(HOUR);
      expect(push.briefs).toHaveLength(1);
    });

    it('with the config, and begin anew when one of the same id is registered at once', async () => {
      await start();
      push.receivers.answer = (_post, index) => (index === 0 ? new Deferred<number>().promise : 200);
      const asks = push.script('asks', (turn) => (turn.task ? three(turn) : turn.requireInput('what?')));
      const task = await push.sendWithHook(asks, { id: 'c', url: HOOK });
      await push.receivers.until(1);
      await push.delete(task.id, 'c');
      await push.create({ taskId: task.id, id: 'c', url: HOOK });
      await push.engine.sendForTask(userMessage('this', { taskId: task.id }));
      await push.clock.advance(1_000);
      expect(push.briefs.slice(1)).toEqual(['status SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED']);
    });

    it('use URL and credentials of one and the same config, when it is replaced [C21]', async () => {
      await start();
      const slow = new Deferred<number>();
      push.receivers.answer = (_post, index) => (index === 0 ? slow.promise : 200);
      const config = { id: 'c', url: HOOK, authentication: { scheme: 'Bearer', credentials: 'old' } };
      const task = await push.sendWithHook(push.script('three', three), config);
      await push.receivers.until(1);
      await push.create({ taskId: task.id, id: 'c', url: `${HOOK}/new`, authentication: { scheme: 'Bearer', credentials: 'new' } });
      slow.resolve(200);
      const posts = await push.receivers.until(5);
      const used = posts.map(({ url, headers }) => [url, headers['authorization']].join(' '));
      expect(new Set(used)).toEqual(new Set([`${HOOK} Bearer old`, `${HOOK}/new Bearer new`]));
      expect(push.briefs.slice(1)).toEqual(['task SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED']);
    });

    it('when the owner may not have the task any more [C22]', async () => {
      let isAllowed = true;
      @Injectable()
      class Access extends WebhookAccess {
        async isAllowed(): Promise<boolean> {
          return isAllowed;
        }
      }
      await start({ extras: { access: Access } });
      const asks = push.script('asks', (turn) => (turn.task ? turn.completed() : turn.requireInput('what?')));
      const task = await push.sendWithHook(asks, { id: 'c', url: HOOK });
      await push.receivers.until(2);
      await push.clock.advance(5_000);
      isAllowed = false;
      await push.engine.sendForTask(userMessage('this', { taskId: task.id }));
      await push.clock.advance(5_000);
      expect(push.briefs).toHaveLength(2);
      await expect(push.get(task.id, 'c')).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    });
  });

  it('that may leave the public internet are said aloud at start', async () => {
    await start({ agent: { webhooks: { targets: { allowHttp: true, openNetworks: ['127.0.0.0/8'] } } } });
    expect(push.engine.logged.find(({ message }) => message.includes('never do this in production'))).toMatchObject({
      facts: { agentId: 'scripted', openNetworks: ['127.0.0.0/8'] },
    });
  });

  describe('to several webhooks', () => {
    it('do not wait for each other: one that hangs delays neither the others nor the task [PUSH-24]', async () => {
      await start();
      push.receivers.answer = ({ url }) => (url.startsWith('https://slow.') ? new Deferred<number>().promise : 200);
      const message = push.script('three', three);
      for (let task = 0; task < 20; task++) {
        const { id } = await push.sendWithHook(message, { url: 'https://slow.example/' });
        expect((await push.create({ taskId: id, url: HOOK })).taskId).toBe(id);
        await push.sendWithHook(message, { url: `https://fast-${task}.example/` });
      }
      await push.clock.advance(1_000);
      const fast = push.receivers.posts.filter(({ url }) => url.includes('fast'));
      expect(fast).toHaveLength(80);
      const slow = push.receivers.posts.filter(({ url }) => url.includes('slow'));
      expect(slow).toHaveLength(4);
    });

    it('of one task come to each in order', async () => {
      await start();
      const asks = push.script('asks', (turn) => (turn.task ? three(turn) : turn.requireInput('what?')));
      const { id: taskId } = await push.engine.sendForTask(asks);
      for (const name of ['a', 'b', 'c']) await push.create({ taskId, id: name, url: `https://${name}.example/` });
      push.receivers.answer = (_post, index) => (index % 3 === 0 ? 503 : 200);
      await push.engine.sendForTask(userMessage('this', { taskId }));
      await push.clock.advance(12 * HOUR);
      for (const name of ['a', 'b', 'c']) {
        const posts = push.receivers.posts.filter(({ url }) => url === `https://${name}.example/`);
        const arrived = [...new Map(posts.map(({ headers, brief }) => [headers['webhook-id'], brief])).values()];
        expect(arrived).toEqual(['status SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED']);
      }
    });
  });
});
