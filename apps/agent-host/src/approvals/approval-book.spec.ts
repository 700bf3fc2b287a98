import { Clock, InMemoryStateStore } from '@a2a/a2a-core';
import { type Approval } from './approval.js';
import { ApprovalBook } from './approval-book.js';

const TASK = { scope: { agentId: 'expense-approval', tenant: '', owner: 'ada' }, taskId: 't1' };
const REQUEST = { task: TASK, title: 'Book this?', facts: [{ label: 'Amount', value: '42.50 EUR' }], subject: 'digest' };

class SetClock extends Clock {
  ms = Date.UTC(2026, 10, 3);
  now(): number {
    return this.ms;
  }
  async sleep(): Promise<void> {}
}

describe('the approval book', () => {
  const clock = new SetClock();
  let store: InMemoryStateStore;
  let book: ApprovalBook;
  let approval: Approval;

  beforeEach(async () => {
    store = new InMemoryStateStore();
    book = new ApprovalBook(store, clock, { publicUrl: 'https://agents.example', expiresAfterMs: 60_000 });
    approval = await book.open(REQUEST);
  });

  it('gives each approval an address and a token that nobody can guess', async () => {
    const other = await book.open(REQUEST);
    expect(approval.id).toMatch(/^[\w-]{43}$/);
    expect(new Set([approval.id, approval.token, other.id, other.token]).size).toBe(4);
    expect(book.urlOf(approval)).toBe(`https://agents.example/approvals/${approval.id}`);
  });

  it('forgets the approvals of a task, decided or not, and those of no other', async () => {
    const second = await book.open(REQUEST);
    const other = await book.open({ ...REQUEST, task: { ...TASK, taskId: 't2' } });
    await book.decide(approval.id, approval.token, 'approved');
    expect(await book.forget({ ...TASK, scope: { ...TASK.scope, owner: 'eve' } })).toBe(0);
    expect(await book.forget(TASK)).toBe(2);
    expect(await book.forget(TASK)).toBe(0);
    expect(await Promise.all([approval, second, other].map(({ id }) => book.find(id)))).toEqual([undefined, undefined, other]);
    expect(await book.pending()).toEqual([]);
    expect(await store.findScopes('ada')).toHaveLength(1);
  });

  it('lets the first decision stand, of two at once', async () => {
    const attempts = await Promise.all([
      book.decide(approval.id, approval.token, 'approved'),
      book.decide(approval.id, approval.token, 'declined'),
    ]);
    expect(attempts.map(({ result }) => result).toSorted()).toEqual(['decided', 'decided-otherwise']);
    const outcomes = attempts.map((attempt) => attempt.approval?.decision?.outcome);
    expect(outcomes[0]).toBe(outcomes[1]);
  });

  it('takes the same decision twice', async () => {
    await book.decide(approval.id, approval.token, 'approved');
    expect(await book.decide(approval.id, approval.token, 'approved')).toMatchObject({ result: 'decided' });
  });

  it('decides nothing without the token of this very approval', async () => {
    const other = await book.open(REQUEST);
    for (const token of ['', 'x', other.token, approval.id]) {
      expect(await book.decide(approval.id, token, 'approved')).toEqual({ result: 'wrong-token' });
    }
    expect(book.statusOf(await book.get(approval.id))).toBe('open');
  });

  it('knows no approval it did not open', async () => {
    expect(await book.decide('unknown', approval.token, 'approved')).toEqual({ result: 'unknown' });
    expect(await book.find('__proto__')).toBeUndefined();
  });

  it('lets an approval expire, given or not [AUTHT-06]', async () => {
    const given = await book.open(REQUEST);
    await book.decide(given.id, given.token, 'approved');
    expect(book.statusOf(await book.get(given.id))).toBe('approved');
    clock.ms += 60_000;
    expect(book.statusOf(await book.get(given.id))).toBe('expired');
    expect(await book.decide(approval.id, approval.token, 'approved')).toMatchObject({ result: 'expired' });
    expect((await book.get(approval.id)).decision).toBeUndefined();
  });

  it('lets nobody decide what was withdrawn', async () => {
    await book.withdraw(approval.id);
    expect(await book.decide(approval.id, approval.token, 'approved')).toMatchObject({
      result: 'decided-otherwise',
      approval: { decision: { outcome: 'withdrawn' } },
    });
  });

  it('remembers, over a restart, which decisions no task has heard of', async () => {
    const second = await book.open(REQUEST);
    await book.decide(approval.id, approval.token, 'approved');
    await book.decide(second.id, second.token, 'declined');
    const restarted = new ApprovalBook(store, clock, { publicUrl: '', expiresAfterMs: 1 });
    expect(await restarted.pending()).toEqual([approval.id, second.id]);
    await restarted.settle(approval.id);
    expect(await restarted.pending()).toEqual([second.id]);
  });
});
