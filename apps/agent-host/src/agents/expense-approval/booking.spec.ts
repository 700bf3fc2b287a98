import { ExpenseLedger } from './expense-ledger.js';
import { bookingOf, EXPENSE, ExpenseDesk, LINK_MS, outline, stateOf, TAXI } from './fixtures/expense-desk.js';

describe('the expense approval agent books exactly once', () => {
  let desk: ExpenseDesk;
  beforeAll(async () => (desk = await ExpenseDesk.open()));
  afterAll(() => desk.close());
  afterEach(() => (desk.clock.aheadMs = 0));

  it('when two approve at once', async () => {
    const task = await desk.engine.run(TAXI);
    const token = await desk.tokenOf(task);
    const { rest } = await desk.engine.subscribe(task.id);
    expect(await Promise.all([desk.decide(task, 'approve', token), desk.decide(task, 'approve', token)])).toEqual([200, 200]);
    expect(outline(await rest)).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact booking', 'COMPLETED']);
    expect(await desk.bookingsOf(task)).toHaveLength(1);
  });

  it('and nothing that changed after it was approved [AUTHT-06]', async () => {
    const task = await desk.engine.run(TAXI);
    await desk.approveUnheard(task);
    const changed = await desk.reply(task, 'sorry, it was 52.50 EUR');
    expect(stateOf(changed)).toBe('AUTH_REQUIRED');
    expect(desk.pageOf(changed)).not.toBe(desk.pageOf(task));
    expect(bookingOf(changed)).toBeUndefined();
  });

  it('and nothing when the approval has expired before the booking [AUTHT-06]', async () => {
    const task = await desk.engine.run(TAXI);
    await desk.approveUnheard(task);
    desk.clock.aheadMs = LINK_MS;
    const late = await desk.reply(task, 'any news?');
    expect(stateOf(late)).toBe('AUTH_REQUIRED');
    expect(bookingOf(late)).toBeUndefined();
  });

  it('and nothing that the client withdraws before the agent hears of the approval', async () => {
    const task = await desk.engine.run(TAXI);
    await desk.approveUnheard(task);
    expect(stateOf(await desk.reply(task, 'cancel'))).toBe('CANCELED');
    await desk.restart();
    expect(await desk.bookingsOf(task)).toEqual([]);
  });

  it('when the host restarts before the decision', async () => {
    const task = await desk.engine.run(TAXI);
    await desk.restart();
    expect(await desk.decideAndFollow(task, 'approve')).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact booking', 'COMPLETED']);
  });

  it('when the host stops between the decision and the booking', async () => {
    const task = await desk.engine.run(TAXI);
    const id = await desk.approveUnheard(task);
    await desk.restart();
    const { rest } = await desk.engine.subscribe(task.id).catch(() => ({ rest: Promise.resolve([]) }));
    await rest;
    expect(stateOf(await desk.engine.get(task.id))).toBe('COMPLETED');
    expect(await desk.bookingsOf(task)).toHaveLength(1);
    expect(await desk.approvals.pending()).not.toContain(id);
  });

  it('when the host stops between the booking and its telling', async () => {
    const task = await desk.engine.run(TAXI);
    await desk.approveUnheard(task);
    const caller = { agentId: 'expense-approval', tenant: '', owner: 'anonymous' };
    const ledger = new ExpenseLedger({
      get: (key) => desk.store.state.get(caller, 'caller', key),
      update: (key, change) => desk.store.state.update(caller, 'caller', key, change),
      set: () => Promise.reject(new Error('not used')),
    });
    const { booking } = await ledger.book(task.id, EXPENSE, '2026-11-04T09:00:00.000Z');
    await desk.restart();
    const { rest } = await desk.engine.subscribe(task.id).catch(() => ({ rest: Promise.resolve([]) }));
    await rest;
    expect(bookingOf(await desk.engine.get(task.id))).toMatchObject({
      bookingNumber: booking?.number,
      bookedAt: '2026-11-04T09:00:00.000Z',
    });
  });

  it('and tells it in one commit, so that no crash leaves it half told', async () => {
    const task = await desk.engine.run(TAXI);
    const commits = jest.spyOn(desk.store.tasks, 'commit');
    await desk.decideAndFollow(task, 'approve');
    const told = commits.mock.calls.map(([, change]) => change.events.length);
    commits.mockRestore();
    expect(told).toEqual([3]);
  });
});
