import { create } from '@bufbuild/protobuf';
import { Deferred } from '../../execution/deferred.js';
import { type TurnContext } from '../../execution/turn-context.js';
import { CancelTaskRequestSchema, type Task } from '../../gen/a2a_pb.js';
import { artifact, userMessage } from '../../protocol/messages.js';
import { HOOK, PushEngine, threeUpdates } from '../../testing/push-engine.js';
import { incomingCall } from '../../testing/test-engine.js';

const HOUR = 3_600_000;

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
  const begin = async (message: string, config = { id: 'c', url: HOOK }): Promise<Task> =>
    push.engine.sendForTask(message, { configuration: { taskPushNotificationConfig: config, returnImmediately: true } });

  it('carry every update of a task to a webhook that came with its message, in order, from the first on [PUSH-15] [PUSH-20]', async () => {
    await start();
    await push.sendWithHook(push.script('three', threeUpdates));
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
      const message = push.script('three', threeUpdates);
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
      const asks = push.script('asks', (turn) => (turn.task ? threeUpdates(turn) : turn.requireInput('what?')));
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
