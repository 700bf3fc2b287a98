import { EVENT_SEQUENCE_URI } from '@a2a/a2a-core';
import { EXACT_AMOUNT } from './exact-amount.extension.js';
import { ExpenseDesk, TAXI } from './fixtures/expense-desk.js';

describe('the expense approval agent', () => {
  let desk: ExpenseDesk;
  beforeAll(async () => (desk = await ExpenseDesk.open()));
  afterAll(() => desk.close());

  it('tells a caller where their expenses are, by task or booking number', async () => {
    const [booked, open] = [await desk.engine.run(TAXI), await desk.engine.run(TAXI)];
    await desk.decideAndFollow(booked, 'approve');
    const listed = await desk.expensesIn(desk.engine.run('list my expenses'));
    expect(listed.slice(0, 2)).toMatchObject([
      { taskId: open.id, status: 'open', amount: '42.50' },
      { taskId: booked.id, status: 'booked', bookingNumber: expect.stringMatching(/^EXP-/) },
    ]);
    const { bookingNumber } = listed[1] ?? {};
    expect(await desk.expensesIn(desk.engine.run(`status of ${bookingNumber}`))).toMatchObject([{ bookingNumber }]);
    expect(await desk.expensesIn(desk.engine.run(`status of ${open.id}`))).toMatchObject([{ taskId: open.id }]);
  });

  describe('extensions', () => {
    it('add exact amounts to the artifacts of a caller who activated them, also to what comes later [EXT-02] [EXT-08]', async () => {
      const task = await desk.engine.run(TAXI, EXACT_AMOUNT.uri);
      await desk.decideAndFollow(task, 'approve');
      const exact = { currency: 'EUR', minorUnits: '4250', decimals: 2 };
      const { artifacts } = await desk.engine.get(task.id);
      expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(['preview', 'booking']);
      for (const artifact of artifacts) {
        expect(artifact).toMatchObject({ extensions: [EXACT_AMOUNT.uri], metadata: { [EXACT_AMOUNT.uri]: exact } });
      }
    });

    it('add nothing for anybody else', async () => {
      const [preview] = (await desk.engine.run(TAXI)).artifacts;
      expect(preview?.extensions).toEqual([]);
      expect(preview?.metadata).toBeUndefined();
    });

    it('number the events of a subscriber who asks for it', async () => {
      const task = await desk.engine.run(TAXI);
      const { rest } = await desk.engine.subscribe(task.id, EVENT_SEQUENCE_URI);
      await desk.decide(task, 'approve');
      const numbers = (await rest).map(({ payload }) => payload.case !== undefined && payload.value.metadata?.[EVENT_SEQUENCE_URI]);
      expect(numbers).toEqual(numbers.map(() => ({ sequence: expect.any(Number) })));
    });
  });
});
