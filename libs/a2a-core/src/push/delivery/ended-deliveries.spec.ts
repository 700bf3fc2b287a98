import { Injectable } from '@nestjs/common';
import { Deferred } from '../../execution/deferred.js';
import { userMessage } from '../../protocol/messages.js';
import { HOOK, PushEngine, threeUpdates } from '../../testing/push-engine.js';
import { WebhookAccess } from './webhook-access.js';

const HOUR = 3_600_000;

describe('deliveries', () => {
  let push: PushEngine;
  const start = async (...facts: Parameters<typeof PushEngine.start>) => (push = await PushEngine.start(...facts));
  afterEach(() => push.close());

  describe('end', () => {
    it('with the config, queued retries too [PDEL-01]', async () => {
      await start();
      push.receivers.answer = () => 500;
      const task = await push.sendWithHook(push.script('three', threeUpdates), { id: 'c', url: HOOK });
      await push.receivers.until(1);
      await push.delete(task.id, 'c');
      await push.clock.advance(24 * HOUR);
      expect(push.briefs).toHaveLength(1);
    });

    it('with the config, in the middle of one that is on its way [PDEL-01]', async () => {
      await start();
      push.receivers.answer = () => new Deferred<number>().promise;
      const task = await push.sendWithHook(push.script('three', threeUpdates), { id: 'c', url: HOOK });
      const [post] = await push.receivers.until(1);
      await push.delete(task.id, 'c');
      expect(post?.options.signal?.aborted).toBe(true);
      await push.clock.advance(HOUR);
      expect(push.briefs).toHaveLength(1);
    });

    it('with the config, and begin anew when one of the same id is registered at once', async () => {
      await start();
      push.receivers.answer = (_post, index) => (index === 0 ? new Deferred<number>().promise : 200);
      const asks = push.script('asks', (turn) => (turn.task ? threeUpdates(turn) : turn.requireInput('what?')));
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
      const task = await push.sendWithHook(push.script('three', threeUpdates), config);
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
});
