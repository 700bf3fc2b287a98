import { TaskState } from '../gen/a2a_pb.js';
import { type Placed, TaskOrder } from './in-memory-task.order.js';

function placed(taskId: string, statusAtMs: number): Placed {
  return { head: { taskId, contextId: 'c', version: 1, state: TaskState.WORKING, statusAtMs } };
}

/** 3,000 tasks at 300 moments, in an order that looks random and is the same each time. */
function manyTasks(): Placed[] {
  return Array.from({ length: 3_000 }, (_, index) => (index * 1_999) % 3_000).map((n) => placed(`t${n}`, 1_000 + (n % 300)));
}

function idsOf(tasks: Iterable<{ taskId: string }>): string[] {
  return [...tasks].map(({ taskId }) => taskId);
}

function sorted(tasks: readonly Placed[]): string[] {
  const heads = tasks.map(({ head }) => head);
  return idsOf(heads.toSorted((a, b) => b.statusAtMs - a.statusAtMs || (a.taskId < b.taskId ? 1 : -1)));
}

describe('TaskOrder', () => {
  it('gives newest first and ties by id descending, whatever the order of adding', () => {
    const order = new TaskOrder();
    const tasks = manyTasks();
    for (const task of tasks) order.add(task);
    expect(order.size).toBe(3_000);
    expect(idsOf(order.behind())).toEqual(sorted(tasks));
  });

  it('begins behind any place, also one that no task has', () => {
    const order = new TaskOrder();
    const tasks = manyTasks();
    for (const task of tasks) order.add(task);
    const all = [...order.behind()];
    for (const index of [0, 1, 511, 512, 1_500, 2_998, 2_999]) {
      const after = all[index] ?? { statusAtMs: 0, taskId: '' };
      expect(idsOf(order.behind(after))).toEqual(idsOf(all.slice(index + 1)));
    }
    expect(idsOf(order.behind({ statusAtMs: 1_000.5, taskId: '' }))).toHaveLength(10);
    expect(idsOf(order.behind({ statusAtMs: 0, taskId: 'z' }))).toEqual([]);
    expect(idsOf(order.behind({ statusAtMs: 9_999, taskId: '' }))).toHaveLength(3_000);
  });

  it('counts from any moment', () => {
    const order = new TaskOrder();
    for (const task of manyTasks()) order.add(task);
    expect([0, 1_000, 1_001, 1_150, 1_299, 1_300].map((ms) => order.countFrom(ms))).toEqual([3_000, 3_000, 2_990, 1_500, 10, 0]);
    expect(new TaskOrder().countFrom(0)).toBe(0);
  });

  it('takes out what was added, and nothing else', () => {
    const order = new TaskOrder();
    const tasks = manyTasks();
    for (const task of tasks) order.add(task);
    const [gone, left] = [tasks.filter((_, index) => index % 3 > 0), tasks.filter((_, index) => index % 3 === 0)];
    for (const task of gone) order.remove(task);
    order.remove(placed('never added', 1_100));
    expect(order.size).toBe(left.length);
    expect(idsOf(order.behind())).toEqual(sorted(left));
    for (const task of left) order.remove(task);
    expect([order.size, idsOf(order.behind())]).toEqual([0, []]);
  });
});
