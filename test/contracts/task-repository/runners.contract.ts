import { randomUUID } from 'node:crypto';
import { type TaskRepository, type TaskScope, TaskState } from '@a2a/a2a-core';
import { creation, move, newScope } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

export function describeRunners(make: MakeTaskRepository): void {
  describe('runners', () => {
    let tasks: TaskRepository;
    beforeAll(async () => {
      tasks = await make();
    });

    const abandonedOf = async ({ agentId }: TaskScope): Promise<string[]> => {
      const found = await tasks.findAbandoned(10_000);
      return found
        .filter(({ scope }) => scope.agentId === agentId)
        .map(({ taskId }) => taskId)
        .toSorted();
    };

    it('finds the unfinished tasks of a runner that does not live any more, and no others', async () => {
      const scope = newScope();
      const [alive, dead] = [randomUUID(), randomUUID()];
      await tasks.keepAlive(alive, 60_000);
      await tasks.keepAlive(dead, 0);
      const states = {
        s: TaskState.SUBMITTED,
        w: TaskState.WORKING,
        c: TaskState.COMPLETED,
        f: TaskState.FAILED,
        i: TaskState.INPUT_REQUIRED,
      };
      for (const runner of [alive, dead]) {
        for (const [name, state] of Object.entries(states)) {
          await tasks.commit(scope, creation(`${name}-${runner === alive ? 'alive' : 'dead'}`, { state, runner }), 0);
        }
      }
      await expect(abandonedOf(scope)).resolves.toEqual(['s-dead', 'w-dead']);
    });

    it('counts a runner that never said it lives, and an unfinished task without one, as abandoned', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('stranger', { runner: randomUUID() }), 0);
      await tasks.commit(scope, creation('nobody'), 0);
      await expect(abandonedOf(scope)).resolves.toEqual(['nobody', 'stranger']);
    });

    it('follows a runner that comes back, a task that changes hands and a task that ends', async () => {
      const scope = newScope();
      const [first, second] = [randomUUID(), randomUUID()];
      await tasks.keepAlive(first, 0);
      await tasks.keepAlive(second, 60_000);
      for (const id of ['a', 'b', 'c']) await tasks.commit(scope, creation(id, { runner: first }), 0);
      await expect(abandonedOf(scope)).resolves.toEqual(['a', 'b', 'c']);
      await tasks.commit(scope, move('a', 1, TaskState.WORKING, 1_000, { runner: second }), 1);
      await tasks.commit(scope, move('b', 1, TaskState.COMPLETED), 1);
      await expect(abandonedOf(scope)).resolves.toEqual(['c']);
      await tasks.keepAlive(first, 60_000);
      await expect(abandonedOf(scope)).resolves.toEqual([]);
    });

    it('tells the whole scope of an abandoned task, and no more tasks than asked for', async () => {
      const scope = newScope({ tenant: "o'hara", owner: 'é' });
      await tasks.commit(scope, creation('a'), 0);
      await tasks.commit(scope, creation('b'), 0);
      expect(await tasks.findAbandoned(10_000)).toContainEqual({ scope, taskId: 'a' });
      await expect(tasks.findAbandoned(1)).resolves.toHaveLength(1);
    });
  });
}
