import { InMemoryStateStore, type TurnStore } from '@a2a/a2a-core';
import { ExpenseLedger } from './expense-ledger.js';

const EXPENSE = { amount: '42.50', currency: 'EUR', purpose: 'taxi', date: '2026-11-03', costCentre: '4711' };
const DAY = '2026-11-04T09:00:00.000Z';

function storeOf(owner: string, store = new InMemoryStateStore()): TurnStore {
  const scope = { agentId: 'expense-approval', tenant: '', owner };
  return {
    get: (key) => store.get(scope, 'caller', key),
    update: (key, change) => store.update(scope, 'caller', key, change),
    set: async (key, value) => void (await store.update(scope, 'caller', key, () => value)),
  };
}

describe('the expense ledger', () => {
  it('books a task once, however many try at once', async () => {
    const ledger = new ExpenseLedger(storeOf('ada'));
    await ledger.open('t1');
    const claims = await Promise.all([1, 2, 3].map((day) => ledger.book('t1', EXPENSE, `2026-11-0${day}T09:00:00.000Z`)));
    expect(new Set(claims.map(({ booking }) => JSON.stringify(booking))).size).toBe(1);
    expect(claims[0]).toMatchObject({
      status: 'booked',
      booking: { number: expect.stringMatching(/^EXP-2026-[0-9A-F]{10}$/), expense: EXPENSE },
    });
  });

  it('lets a booking or a withdrawal win, never both', async () => {
    const ledger = new ExpenseLedger(storeOf('ada'));
    await ledger.open('t1');
    await ledger.close('t1', 'withdrawn', 'Withdrawn');
    expect(await ledger.book('t1', EXPENSE, DAY)).toMatchObject({ status: 'withdrawn' });

    await ledger.open('t2');
    await ledger.book('t2', EXPENSE, DAY);
    expect(await ledger.close('t2', 'withdrawn', 'Withdrawn')).toMatchObject({ status: 'booked', booking: { expense: EXPENSE } });
    expect(await ledger.amend('t2', { amount: '1' }, [])).toMatchObject({ status: 'booked', draft: {} });
  });

  it('gives each task a number of its own', async () => {
    const ledger = new ExpenseLedger(storeOf('ada'));
    const [first, second] = await Promise.all(['t1', 't2'].map((taskId) => ledger.book(taskId, EXPENSE, DAY)));
    expect(first?.booking?.number).not.toBe(second?.booking?.number);
  });

  it('lists the newest 50, newest first, and nobody else’s', async () => {
    const store = new InMemoryStateStore();
    const ledger = new ExpenseLedger(storeOf('ada', store));
    for (let i = 1; i <= 51; i++) await ledger.open(`t${i}`);
    const listed = await ledger.list();
    expect(listed.map(({ taskId }) => taskId)).toEqual(Array.from({ length: 50 }, (_, i) => `t${51 - i}`));
    expect(await new ExpenseLedger(storeOf('bob', store)).list()).toEqual([]);
  });
});
