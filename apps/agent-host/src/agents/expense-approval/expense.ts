import { createHash } from 'node:crypto';

/** What the company wants to know of an expense before it pays. */
export const FIELDS = ['amount', 'currency', 'purpose', 'costCentre', 'date', 'receipt'] as const;
/** Members of an expense, in the spelling of its data form. */
export type Field = (typeof FIELDS)[number];

/** An expense as far as it is known. Every value is as it was understood, not as it was typed; an amount may still have two readings. */
export type ExpenseDraft = { readonly [field in Field]?: string };

/** An expense that can be previewed, approved and booked. */
export type Expense = {
  /** Decimal, with the decimals of the currency: `42.50`. A string, because JSON numbers are doubles. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly purpose: string;
  readonly costCentre: string;
  /** ISO 8601, `2026-11-03`. */
  readonly date: string;
  readonly receipt?: string;
};

/** Differs as soon as any value differs. An approval is given for one digest. */
export function digestOf(expense: Expense): string {
  return createHash('sha256')
    .update(JSON.stringify(FIELDS.map((field) => expense[field] ?? null)))
    .digest('base64url');
}

/** Label and value of each known field, for people. */
export function linesOf(expense: Expense): { label: string; value: string }[] {
  const lines = [
    { label: 'Amount', value: `${expense.amount} ${expense.currency}` },
    { label: 'Purpose', value: expense.purpose },
    { label: 'Cost centre', value: expense.costCentre },
    { label: 'Date', value: expense.date },
  ];
  return expense.receipt ? [...lines, { label: 'Receipt', value: expense.receipt }] : lines;
}
