import {
  Clock,
  dataPart,
  EVENT_SEQUENCE_URI,
  partData,
  SystemClock,
  type StreamResponse,
  type Task,
  TaskState,
  textOf,
  userMessage,
} from '@a2a/a2a-core';
import { AgentEngine, EngineStore } from '../../../../../test/support/agent-engine.js';
import { ApprovalBook } from '../../approvals/approval-book.js';
import { ApprovalsModule } from '../../approvals/approvals.module.js';
import { EXACT_AMOUNT } from './exact-amount.extension.js';
import { ExpenseLedger } from './expense-ledger.js';
import { ExpenseApprovalModule } from './expense-approval.module.js';

const TAXI = '42.50 EUR for taxi on 2024-11-04, cost centre 4711';
const EXPENSE = { amount: '42.50', currency: 'EUR', purpose: 'taxi', date: '2024-11-04', costCentre: '4711' };
const HOUR_MS = 3_600_000;

/** The real time, and what a spec adds to it. */
class SpecClock extends SystemClock {
  aheadMs = 0;
  override now(): number {
    return super.now() + this.aheadMs;
  }
}

describe('the expense approval agent', () => {
  const clock = new SpecClock();
  const store = new EngineStore();
  let engine: AgentEngine;

  async function start(): Promise<void> {
    const approvals = ApprovalsModule.forRoot({ publicUrl: 'http://host.example', expiresAfterMs: HOUR_MS });
    engine = await AgentEngine.start('expense-approval', [approvals, ExpenseApprovalModule], {
      store,
      overrides: [{ provide: Clock, useValue: clock }],
    });
  }

  beforeAll(start);
  afterEach(() => (clock.aheadMs = 0));
  afterAll(() => engine.stop());

  const reply = (task: Task, text: string): Promise<Task> => engine.run(userMessage(text, { taskId: task.id }));
  const stateOf = (task: Task): string => TaskState[task.status?.state ?? 0] ?? '';
  const sayingOf = (task: Task): string => textOf(task.status?.message);

  /** The page that the task's status message links to. */
  function pageOf(task: Task): string {
    return `${engine.url}${/\/approvals\/\S+/.exec(sayingOf(task))?.[0] ?? ''}`;
  }

  async function tokenOf(task: Task): Promise<string> {
    return /name="token" value="([^"]+)"/.exec(await (await fetch(pageOf(task))).text())?.[1] ?? '';
  }

  async function decide(task: Task, decision: 'approve' | 'decline', token?: string): Promise<number> {
    const form = new URLSearchParams({ decision, token: token ?? (await tokenOf(task)) });
    return (await fetch(pageOf(task), { method: 'POST', body: form })).status;
  }

  async function expensesIn(answer: Promise<Task>): Promise<{ bookingNumber?: string }[]> {
    const [part = dataPart(null)] = (await answer).artifacts[0]?.parts ?? [];
    return (partData(part) as { expenses: { bookingNumber?: string }[] }).expenses;
  }

  /** Decides, and waits for the end of the task as a subscriber sees it. */
  async function decideAndFollow(task: Task, decision: 'approve' | 'decline'): Promise<string[]> {
    const { rest } = await engine.subscribe(task.id);
    expect(await decide(task, decision)).toBe(200);
    return outline(await rest);
  }

  function bookingOf(task: Task): unknown {
    const [part] = task.artifacts.find(({ artifactId }) => artifactId === 'booking')?.parts ?? [];
    return part && partData(part);
  }

  describe('asks for what is missing', () => {
    it('in one question, and takes the answer as prose', async () => {
      const asked = await engine.run('I took a taxi, 42.50');
      expect(stateOf(asked)).toBe('INPUT_REQUIRED');
      expect(sayingOf(asked)).toBe(
        'To go on I need the currency (EUR, USD, GBP, CHF, JPY), the purpose, the cost centre and the date (YYYY-MM-DD).',
      );
      const again = await reply(asked, '42.50 EUR for taxi on 2024-11-04');
      expect([stateOf(again), sayingOf(again)]).toEqual(['INPUT_REQUIRED', 'To go on I need the cost centre.']);
      expect(stateOf(await reply(again, '4711'))).toBe('AUTH_REQUIRED');
    });

    it('and takes the answer as data', async () => {
      const asked = await engine.run(userMessage(dataPart({ amount: 42.5, currency: 'EUR', purpose: 'taxi' })));
      const answer = userMessage(dataPart({ costCentre: '4711', date: '2024-11-04' }), { taskId: asked.id });
      expect(stateOf(await engine.run(answer))).toBe('AUTH_REQUIRED');
    });

    it('and again when the date is in the future or the amount has two readings, before any person is asked', async () => {
      const asked = await engine.run('5.555 EUR for taxi on 2136-11-20, cost centre 4711');
      expect(stateOf(asked)).toBe('INPUT_REQUIRED');
      expect(sayingOf(asked)).toContain('5555 or 5.555?');
      expect(sayingOf(asked)).toContain('2136-11-20 is in the future');
      expect(asked.artifacts).toEqual([]);
      expect(stateOf(await reply(asked, '5.56 EUR on 2024-11-04'))).toBe('AUTH_REQUIRED');
    });

    it('but rejects at once what is over the limit, with the reason', async () => {
      const task = await engine.run('7500 EUR for a car');
      expect(stateOf(task)).toBe('REJECTED');
      expect(sayingOf(task)).toContain('over 5000.00 EUR');
    });
  });

  describe('waits for a person', () => {
    it('with a preview and a link in a status message [AUTHT-01] [AUTHT-02]', async () => {
      const task = await engine.run(TAXI);
      expect(stateOf(task)).toBe('AUTH_REQUIRED');
      expect(sayingOf(task)).toMatch(/^Please approve this expense: http:\/\/host\.example\/approvals\/[\w-]{43}$/);
      expect(task.artifacts).toMatchObject([{ artifactId: 'preview', name: 'Expense preview' }]);
      expect(textOf(task.artifacts[0])).toContain('Amount: 42.50 EUR');
      expect(await (await fetch(pageOf(task))).text()).toContain('42.50 EUR');
    });

    it('and books when the person approves, without its client, before the eyes of every subscriber [AUTHT-04] [DLV-03]', async () => {
      const task = await engine.run(TAXI);
      const other = await engine.subscribe(task.id);
      const states = await decideAndFollow(task, 'approve');
      expect(states).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact booking', 'COMPLETED']);
      expect(outline(await other.rest)).toEqual(states);
      const booked = await engine.get(task.id);
      expect(bookingOf(booked)).toMatchObject({
        bookingNumber: expect.stringMatching(/^EXP-\d{4}-[0-9A-F]{10}$/),
        amount: '42.50',
        currency: 'EUR',
      });
    });

    it('and rejects when the person declines', async () => {
      const task = await engine.run(TAXI);
      expect(await decideAndFollow(task, 'decline')).toEqual(['task AUTH_REQUIRED', 'REJECTED']);
    });

    it.each(['cancel', 'deny', 'Withdraw, please'])('until the client says "%s" [AUTHT-05]', async (word) => {
      const task = await engine.run(TAXI);
      const token = await tokenOf(task);
      expect(stateOf(await reply(task, word))).toBe('CANCELED');
      expect(await decide(task, 'approve', token)).toBe(409);
    });

    it('until the task is cancelled', async () => {
      const task = await engine.run(TAXI);
      const token = await tokenOf(task);
      expect(stateOf(await engine.cancel(task.id))).toBe('CANCELED');
      expect(await decide(task, 'approve', token)).toBe(409);
      expect(bookingOf(await engine.get(task.id))).toBeUndefined();
    });

    it('and asks anew when the expense has changed, while the old approval is worth nothing [AUTHT-06]', async () => {
      const task = await engine.run(TAXI);
      const oldToken = await tokenOf(task);
      const changed = await reply(task, 'sorry, it was 52.50 EUR');
      expect(pageOf(changed)).not.toBe(pageOf(task));
      expect(changed.artifacts.map((artifact) => textOf(artifact))).toEqual([expect.stringContaining('52.50 EUR')]);
      expect(await decide(task, 'approve', oldToken)).toBe(409);
      expect(stateOf(await engine.get(task.id))).toBe('AUTH_REQUIRED');
      await decideAndFollow(changed, 'approve');
      expect(bookingOf(await engine.get(task.id))).toMatchObject({ amount: '52.50' });
    });

    it('on the same page when the client only asks how it goes', async () => {
      const task = await engine.run(TAXI);
      expect(pageOf(await reply(task, 'How long will it take?'))).toBe(pageOf(task));
    });

    it('but not for ever: after the link has expired the client gets a new one', async () => {
      const task = await engine.run(TAXI);
      const token = await tokenOf(task);
      clock.aheadMs = HOUR_MS;
      expect(await decide(task, 'approve', token)).toBe(410);
      const renewed = await reply(task, 'any news?');
      expect(stateOf(renewed)).toBe('AUTH_REQUIRED');
      expect(pageOf(renewed)).not.toBe(pageOf(task));
    });
  });

  describe('books exactly once', () => {
    it('when two approve at once', async () => {
      const task = await engine.run(TAXI);
      const token = await tokenOf(task);
      const { rest } = await engine.subscribe(task.id);
      expect(await Promise.all([decide(task, 'approve', token), decide(task, 'approve', token)])).toEqual([200, 200]);
      expect(outline(await rest)).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact booking', 'COMPLETED']);
      expect(await bookingsOf(task)).toHaveLength(1);
    });

    it('and nothing that changed after it was approved [AUTHT-06]', async () => {
      const task = await engine.run(TAXI);
      await approveUnheard(task);
      const changed = await reply(task, 'sorry, it was 52.50 EUR');
      expect(stateOf(changed)).toBe('AUTH_REQUIRED');
      expect(pageOf(changed)).not.toBe(pageOf(task));
      expect(bookingOf(changed)).toBeUndefined();
    });

    it('and nothing when the approval has expired before the booking [AUTHT-06]', async () => {
      const task = await engine.run(TAXI);
      await approveUnheard(task);
      clock.aheadMs = HOUR_MS;
      const late = await reply(task, 'any news?');
      expect(stateOf(late)).toBe('AUTH_REQUIRED');
      expect(bookingOf(late)).toBeUndefined();
    });

    it('and nothing that the client withdraws before the agent hears of the approval', async () => {
      const task = await engine.run(TAXI);
      await approveUnheard(task);
      expect(stateOf(await reply(task, 'cancel'))).toBe('CANCELED');
      await restart();
      expect(await bookingsOf(task)).toEqual([]);
    });

    it('when the host restarts before the decision', async () => {
      const task = await engine.run(TAXI);
      await restart();
      expect(await decideAndFollow(task, 'approve')).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact booking', 'COMPLETED']);
    });

    it('when the host stops between the decision and the booking', async () => {
      const task = await engine.run(TAXI);
      const id = await approveUnheard(task);
      await restart();
      const { rest } = await engine.subscribe(task.id).catch(() => ({ rest: Promise.resolve([]) }));
      await rest;
      expect(stateOf(await engine.get(task.id))).toBe('COMPLETED');
      expect(await bookingsOf(task)).toHaveLength(1);
      expect(await engine.app.get(ApprovalBook, { strict: false }).pending()).not.toContain(id);
    });

    it('when the host stops between the booking and its telling', async () => {
      const task = await engine.run(TAXI);
      await approveUnheard(task);
      const caller = { agentId: 'expense-approval', tenant: '', owner: 'anonymous' };
      const ledger = new ExpenseLedger({
        get: (key) => store.state.get(caller, 'caller', key),
        update: (key, change) => store.state.update(caller, 'caller', key, change),
        set: () => Promise.reject(new Error('not used')),
      });
      const { booking } = await ledger.book(task.id, EXPENSE, '2026-11-04T09:00:00.000Z');
      await restart();
      const { rest } = await engine.subscribe(task.id).catch(() => ({ rest: Promise.resolve([]) }));
      await rest;
      expect(bookingOf(await engine.get(task.id))).toMatchObject({ bookingNumber: booking?.number, bookedAt: '2026-11-04T09:00:00.000Z' });
    });

    it('and tells it in one commit, so that no crash leaves it half told', async () => {
      const task = await engine.run(TAXI);
      const commits = jest.spyOn(store.tasks, 'commit');
      await decideAndFollow(task, 'approve');
      const told = commits.mock.calls.map(([, change]) => change.events.length);
      commits.mockRestore();
      expect(told).toEqual([3]);
    });

    /** The decision is stored, and the host dies before it could tell the task. */
    async function approveUnheard(task: Task): Promise<string> {
      const id = pageOf(task).split('/').at(-1) ?? '';
      const attempt = await engine.app.get(ApprovalBook, { strict: false }).decide(id, await tokenOf(task), 'approved');
      expect(attempt.result).toBe('decided');
      return id;
    }

    async function restart(): Promise<void> {
      await engine.stop();
      await start();
    }

    async function bookingsOf(task: Task): Promise<unknown[]> {
      const named = await expensesIn(engine.run(userMessage('list my expenses', { referenceTaskIds: [task.id] })));
      return named.filter(({ bookingNumber }) => bookingNumber !== undefined);
    }
  });

  it('tells a caller where their expenses are, by task or booking number', async () => {
    const [booked, open] = [await engine.run(TAXI), await engine.run(TAXI)];
    await decideAndFollow(booked, 'approve');
    const listed = await expensesIn(engine.run('list my expenses'));
    expect(listed.slice(0, 2)).toMatchObject([
      { taskId: open.id, status: 'open', amount: '42.50' },
      { taskId: booked.id, status: 'booked', bookingNumber: expect.stringMatching(/^EXP-/) },
    ]);
    const { bookingNumber } = listed[1] ?? {};
    expect(await expensesIn(engine.run(`status of ${bookingNumber}`))).toMatchObject([{ bookingNumber }]);
    expect(await expensesIn(engine.run(`status of ${open.id}`))).toMatchObject([{ taskId: open.id }]);
  });

  describe('extensions', () => {
    it('add exact amounts to the artifacts of a caller who activated them, also to what comes later [EXT-02] [EXT-08]', async () => {
      const task = await engine.run(TAXI, EXACT_AMOUNT.uri);
      await decideAndFollow(task, 'approve');
      const exact = { currency: 'EUR', minorUnits: '4250', decimals: 2 };
      const { artifacts } = await engine.get(task.id);
      expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(['preview', 'booking']);
      for (const artifact of artifacts) {
        expect(artifact).toMatchObject({ extensions: [EXACT_AMOUNT.uri], metadata: { [EXACT_AMOUNT.uri]: exact } });
      }
    });

    it('add nothing for anybody else', async () => {
      const [preview] = (await engine.run(TAXI)).artifacts;
      expect(preview?.extensions).toEqual([]);
      expect(preview?.metadata).toBeUndefined();
    });

    it('number the events of a subscriber who asks for it', async () => {
      const task = await engine.run(TAXI);
      const { rest } = await engine.subscribe(task.id, EVENT_SEQUENCE_URI);
      await decide(task, 'approve');
      const numbers = (await rest).map(({ payload }) => payload.case !== undefined && payload.value.metadata?.[EVENT_SEQUENCE_URI]);
      expect(numbers).toEqual(numbers.map(() => ({ sequence: expect.any(Number) })));
    });
  });
});

/** `task AUTH_REQUIRED`, `WORKING`, `artifact booking`. */
function outline(events: readonly StreamResponse[]): string[] {
  return events.map(({ payload }) => {
    if (payload.case === 'task') return `task ${TaskState[payload.value.status?.state ?? 0]}`;
    if (payload.case === 'statusUpdate') return String(TaskState[payload.value.status?.state ?? 0]);
    return payload.case === 'artifactUpdate' ? `artifact ${payload.value.artifact?.artifactId}` : 'message';
  });
}
