import { dataPart, textPart, type TaskArtifactUpdateEvent, type TurnContext } from '@a2a/a2a-core';
import { exactAmountOf } from './exact-amount.extension.js';
import { type Expense, linesOf } from './expense.js';
import { type Booking, type Claim } from './expense-ledger.js';

/** What would be booked. A later preview takes the place of an earlier one. */
export function previewArtifact(turn: TurnContext, claim: Claim, expense: Expense): TaskArtifactUpdateEvent {
  return turn.artifact([textPart(textOfExpense(expense)), dataPart(expense)], {
    artifactId: 'preview',
    name: 'Expense preview',
    ...exactAmountOf(expense, claim.extensions),
  });
}

/** The result: what was booked, under which number. */
export function bookingArtifact(turn: TurnContext, claim: Claim, { number, bookedAt, expense }: Booking): TaskArtifactUpdateEvent {
  return turn.artifact(dataPart({ bookingNumber: number, bookedAt, ...expense }), {
    artifactId: 'booking',
    name: 'Expense booking',
    ...exactAmountOf(expense, claim.extensions),
  });
}

function textOfExpense(expense: Expense): string {
  return linesOf(expense)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('\n');
}
