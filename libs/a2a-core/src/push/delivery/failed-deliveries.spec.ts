import { type Task } from '../../gen/a2a_pb.js';
import { HOOK, PushEngine, threeUpdates } from '../../testing/push-engine.js';
import { PushOperations } from '../push-operations.js';

const HOUR = 3_600_000;
const SCOPE = { agentId: 'scripted', tenant: '', owner: 'anonymous' };

describe('deliveries', () => {
  let push: PushEngine;
  const start = async (...facts: Parameters<typeof PushEngine.start>) => (push = await PushEngine.start(...facts));
  afterEach(() => push.close());
  const operations = () => push.engine.get(PushOperations);

  describe('that fail', () => {
    it.each([500, 503, 429, 408, 425, 302, 'network', 'timeout'] as const)(
      'with %s are tried again, and nothing overtakes them [PUSH-24]',
      async (failure) => {
        await start();
        push.receivers.answer = (_post, index) => (index < 2 ? failure : 200);
        await push.sendWithHook(push.script('three', threeUpdates));
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
      await push.sendWithHook(push.script('three', threeUpdates));
      await push.receivers.until(1);
      await push.clock.advance(599_000);
      expect(push.briefs).toHaveLength(1);
      await push.clock.advance(3_000);
      expect(push.briefs).toHaveLength(5);
    });

    it('ten times over days are kept for an operator, who sends them again in order [PUSH-23]', async () => {
      await start();
      push.receivers.answer = () => 500;
      const task = await push.sendWithHook(push.script('three', threeUpdates), { id: 'c', url: HOOK });
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
      const message = push.script('three', threeUpdates);
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
        const task = await push.sendWithHook(push.script('three', threeUpdates), { id: 'c', url: HOOK });
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
      const task = await push.sendWithHook(push.script('three', threeUpdates), { id: 'c', url: HOOK });
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
      const task = await push.sendWithHook(push.script('three', threeUpdates), { id: 'c', url: HOOK });
      await push.receivers.until(1);
      await push.clock.advance(0);
      expect(await operations().stateFor(SCOPE, task.id, 'c')).toBe('retrying');
      expect(await operations().stateFor({ ...SCOPE, owner: 'bob' }, task.id, 'c')).toBeUndefined();
      expect(Object.keys(await push.get(task.id, 'c')).toSorted()).toEqual(['$typeName', 'id', 'taskId', 'tenant', 'token', 'url']);
    });
  });
});
