import { type AgentEvent, AgentSkill, Clock, type Skill, type TurnContext } from '@a2a/a2a-core';
import { approvalRequest } from '../../approvals/approval-link.js';
import { ExpenseApprovals } from './expense-approvals.js';
import { bookingArtifact, previewArtifact } from './expense-artifacts.js';
import { type Expense } from './expense.js';
import { type Claim, ExpenseLedger } from './expense-ledger.js';
import { judge } from './expense-policy.js';
import { readMessage } from './expense-reader.js';

const WITHDRAWAL = /^\s*(cancel|deny|withdraw)\b/i;

/**
 * Takes an expense from the first word to the booking, over as many turns as it needs.
 *
 * Each turn looks at what is stored and takes the next step: ask for what is missing, show a preview and ask a person, or book. So it
 * does not matter whether a message or a decision began the turn, or how often. Being woken authorises nothing: an expense is booked when
 * the stored approval, checked now, is for exactly this expense (A2A §7.6.4).
 */
@AgentSkill({
  id: 'submit-expense',
  name: 'Submit an expense',
  description: 'Asks for what is missing, shows a preview, waits for the approval of a person, and books once.',
  tags: ['expense', 'approval', 'finance'],
  examples: ['42.50 EUR for taxi on 2026-11-03, cost centre 4711'],
  inputModes: ['text/plain', 'application/json', 'application/pdf', 'image/jpeg', 'image/png'],
})
export class SubmitExpenseSkill implements Skill {
  constructor(
    private readonly approvals: ExpenseApprovals,
    private readonly clock: Clock,
  ) {}

  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    if (!turn.resumed && WITHDRAWAL.test(turn.text)) return yield* this.cancel(turn);
    const ledger = new ExpenseLedger(turn.callerStore);
    const claim = turn.resumed ? await ledger.open(turn.taskId) : await hear(turn, ledger, this.clock.now());
    yield* claim.status === 'open' ? this.#advance(turn, ledger, claim) : this.#conclude(turn, claim);
  }

  /** Nobody shall approve any more what the caller has withdrawn. What is booked stays booked. */
  async *cancel(turn: TurnContext): AsyncIterable<AgentEvent> {
    const claim = await new ExpenseLedger(turn.callerStore).close(turn.taskId, 'withdrawn', 'Withdrawn. Nothing was booked.');
    await this.approvals.retract(claim);
    yield* this.#conclude(turn, claim);
  }

  async *#advance(turn: TurnContext, ledger: ExpenseLedger, claim: Claim): AsyncIterable<AgentEvent> {
    const verdict = judge(claim.draft, this.clock.now());
    if (verdict.kind === 'complete') return yield* this.#seekApproval(turn, ledger, claim, verdict.expense);
    await this.approvals.retract(claim);
    if (verdict.kind === 'incomplete') return yield turn.requireInput(verdict.question);
    yield* this.#conclude(turn, await ledger.close(turn.taskId, 'refused', verdict.reason));
  }

  async *#seekApproval(turn: TurnContext, ledger: ExpenseLedger, claim: Claim, expense: Expense): AsyncIterable<AgentEvent> {
    const { status, approval } = await this.approvals.standingOf(claim, expense);
    switch (status) {
      case 'approved':
        return yield* this.#conclude(turn, await ledger.book(turn.taskId, expense, new Date(this.clock.now()).toISOString()));
      case 'declined':
        return yield* this.#conclude(turn, await ledger.close(turn.taskId, 'declined', 'Declined. Nothing was booked.'));
      case 'open':
        return yield turn.requireAuth(approvalRequest('This expense waits for approval', this.approvals.urlOf(approval), approval));
      default:
        yield* this.#ask(turn, ledger, claim, expense);
    }
  }

  /** Shows what would be booked, and asks a person. */
  async *#ask(turn: TurnContext, ledger: ExpenseLedger, claim: Claim, expense: Expense): AsyncIterable<AgentEvent> {
    await this.approvals.retract(claim);
    const approval = await this.approvals.ask(turn, expense);
    await ledger.awaitApproval(turn.taskId, approval.id);
    yield previewArtifact(turn, claim, expense);
    yield turn.requireAuth(approvalRequest('Please approve this expense', this.approvals.urlOf(approval), approval));
  }

  /**
   * Tells what the ledger says. It said so before: should the process end in between, the next start tells it. Nothing is awaited between
   * the events, so they are one commit.
   */
  async *#conclude(turn: TurnContext, claim: Claim): AsyncIterable<AgentEvent> {
    if (claim.booking) {
      yield turn.working('Approved');
      yield bookingArtifact(turn, claim, claim.booking);
      yield turn.completed(`Booked as ${claim.booking.number}`);
    } else {
      yield claim.status === 'withdrawn' ? turn.canceled(claim.note) : turn.rejected(claim.note);
    }
    await this.approvals.settle(claim);
  }
}

/** Adds what the message says to the claim. What was asked for last helps to understand it. */
async function hear(turn: TurnContext, ledger: ExpenseLedger, nowMs: number): Promise<Claim> {
  const { draft } = await ledger.open(turn.taskId);
  const verdict = judge(draft, nowMs);
  const asked = verdict.kind === 'incomplete' ? verdict.missing : [];
  return ledger.amend(turn.taskId, readMessage(turn.message, asked), turn.activatedExtensions);
}
