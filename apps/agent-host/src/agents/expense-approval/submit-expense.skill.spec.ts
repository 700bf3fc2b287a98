import { dataPart, textOf, userMessage } from '@a2a/a2a-core';
import { bookingOf, ExpenseDesk, LINK_MS, outline, sayingOf, stateOf, TAXI } from './fixtures/expense-desk.js';

describe('the expense approval agent', () => {
  let desk: ExpenseDesk;
  beforeAll(async () => (desk = await ExpenseDesk.open()));
  afterAll(() => desk.close());
  afterEach(() => (desk.clock.aheadMs = 0));

  describe('asks for what is missing', () => {
    it('in one question, and takes the answer as prose', async () => {
      const asked = await desk.engine.run('I took a taxi, 42.50');
      expect(stateOf(asked)).toBe('INPUT_REQUIRED');
      expect(sayingOf(asked)).toBe(
        'To go on I need the currency (EUR, USD, GBP, CHF, JPY), the purpose, the cost centre and the date (YYYY-MM-DD).',
      );
      const again = await desk.reply(asked, '42.50 EUR for taxi on 2024-11-04');
      expect([stateOf(again), sayingOf(again)]).toEqual(['INPUT_REQUIRED', 'To go on I need the cost centre.']);
      expect(stateOf(await desk.reply(again, '4711'))).toBe('AUTH_REQUIRED');
    });

    it('and takes the answer as data', async () => {
      const asked = await desk.engine.run(userMessage(dataPart({ amount: 42.5, currency: 'EUR', purpose: 'taxi' })));
      const answer = userMessage(dataPart({ costCentre: '4711', date: '2024-11-04' }), { taskId: asked.id });
      expect(stateOf(await desk.engine.run(answer))).toBe('AUTH_REQUIRED');
    });

    it('and again when the date is in the future or the amount has two readings, before any person is asked', async () => {
      const asked = await desk.engine.run('5.555 EUR for taxi on 2136-11-20, cost centre 4711');
      expect(stateOf(asked)).toBe('INPUT_REQUIRED');
      expect(sayingOf(asked)).toContain('5555 or 5.555?');
      expect(sayingOf(asked)).toContain('2136-11-20 is in the future');
      expect(asked.artifacts).toEqual([]);
      expect(stateOf(await desk.reply(asked, '5.56 EUR on 2024-11-04'))).toBe('AUTH_REQUIRED');
    });

    it('but rejects at once what is over the limit, with the reason', async () => {
      const task = await desk.engine.run('7500 EUR for a car');
      expect(stateOf(task)).toBe('REJECTED');
      expect(sayingOf(task)).toContain('over 5000.00 EUR');
    });
  });

  describe('waits for a person', () => {
    it('with a preview and a link in a status message [AUTHT-01] [AUTHT-02]', async () => {
      const task = await desk.engine.run(TAXI);
      expect(stateOf(task)).toBe('AUTH_REQUIRED');
      expect(sayingOf(task)).toMatch(/^Please approve this expense: http:\/\/host\.example\/approvals\/[\w-]{43}$/);
      expect(task.artifacts).toMatchObject([{ artifactId: 'preview', name: 'Expense preview' }]);
      expect(textOf(task.artifacts[0])).toContain('Amount: 42.50 EUR');
      expect(await (await fetch(desk.pageOf(task))).text()).toContain('42.50 EUR');
    });

    it('and books when the person approves, without its client, before the eyes of every subscriber [AUTHT-04] [DLV-03]', async () => {
      const task = await desk.engine.run(TAXI);
      const other = await desk.engine.subscribe(task.id);
      const states = await desk.decideAndFollow(task, 'approve');
      expect(states).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact booking', 'COMPLETED']);
      expect(outline(await other.rest)).toEqual(states);
      const booked = await desk.engine.get(task.id);
      expect(bookingOf(booked)).toMatchObject({
        bookingNumber: expect.stringMatching(/^EXP-\d{4}-[0-9A-F]{10}$/),
        amount: '42.50',
        currency: 'EUR',
      });
    });

    it('and rejects when the person declines', async () => {
      const task = await desk.engine.run(TAXI);
      expect(await desk.decideAndFollow(task, 'decline')).toEqual(['task AUTH_REQUIRED', 'REJECTED']);
    });

    it.each(['cancel', 'deny', 'Withdraw, please'])('until the client says "%s" [AUTHT-05]', async (word) => {
      const task = await desk.engine.run(TAXI);
      const token = await desk.tokenOf(task);
      expect(stateOf(await desk.reply(task, word))).toBe('CANCELED');
      expect(await desk.decide(task, 'approve', token)).toBe(409);
    });

    it('until the task is cancelled', async () => {
      const task = await desk.engine.run(TAXI);
      const token = await desk.tokenOf(task);
      expect(stateOf(await desk.engine.cancel(task.id))).toBe('CANCELED');
      expect(await desk.decide(task, 'approve', token)).toBe(409);
      expect(bookingOf(await desk.engine.get(task.id))).toBeUndefined();
    });

    it('and asks anew when the expense has changed, while the old approval is worth nothing [AUTHT-06]', async () => {
      const task = await desk.engine.run(TAXI);
      const oldToken = await desk.tokenOf(task);
      const changed = await desk.reply(task, 'sorry, it was 52.50 EUR');
      expect(desk.pageOf(changed)).not.toBe(desk.pageOf(task));
      expect(changed.artifacts.map((artifact) => textOf(artifact))).toEqual([expect.stringContaining('52.50 EUR')]);
      expect(await desk.decide(task, 'approve', oldToken)).toBe(409);
      expect(stateOf(await desk.engine.get(task.id))).toBe('AUTH_REQUIRED');
      await desk.decideAndFollow(changed, 'approve');
      expect(bookingOf(await desk.engine.get(task.id))).toMatchObject({ amount: '52.50' });
    });

    it('on the same page when the client only asks how it goes', async () => {
      const task = await desk.engine.run(TAXI);
      expect(desk.pageOf(await desk.reply(task, 'How long will it take?'))).toBe(desk.pageOf(task));
    });

    it('but not for ever: after the link has expired the client gets a new one', async () => {
      const task = await desk.engine.run(TAXI);
      const token = await desk.tokenOf(task);
      desk.clock.aheadMs = LINK_MS;
      expect(await desk.decide(task, 'approve', token)).toBe(410);
      const renewed = await desk.reply(task, 'any news?');
      expect(stateOf(renewed)).toBe('AUTH_REQUIRED');
      expect(desk.pageOf(renewed)).not.toBe(desk.pageOf(task));
    });
  });
});
