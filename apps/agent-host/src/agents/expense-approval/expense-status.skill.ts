import { type JsonObject } from '@bufbuild/protobuf';
import { AgentSkill, type Skill, type TurnContext } from '@a2a/a2a-core';
import { type Claim, ExpenseLedger } from './expense-ledger.js';

/** Tells a caller where their expenses are. */
@AgentSkill({
  id: 'expense-status',
  name: 'Expense status',
  description: 'Lists your newest expenses with their state and booking number, or those whose task or booking number you name.',
  tags: ['expense', 'status', 'finance'],
  examples: ['list my expenses', 'status of EXP-2026-0123ABCDEF'],
  outputModes: ['application/json'],
})
export class ExpenseStatusSkill implements Skill {
  async execute(turn: TurnContext): Promise<JsonObject> {
    const claims = await new ExpenseLedger(turn.callerStore).list();
    const named = claims.filter((claim) => isNamed(claim, turn));
    return { expenses: (named.length > 0 ? named : claims).map(summaryOf) };
  }
}

function isNamed({ taskId, booking }: Claim, { text, message }: TurnContext): boolean {
  return message.referenceTaskIds.includes(taskId) || text.includes(taskId) || (booking !== undefined && text.includes(booking.number));
}

function summaryOf({ taskId, status, draft, booking }: Claim): JsonObject {
  const known = { taskId, status, ...draft };
  return booking ? { ...known, bookingNumber: booking.number, bookedAt: booking.bookedAt } : known;
}
