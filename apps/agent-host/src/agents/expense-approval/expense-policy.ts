import { type Expense, type ExpenseDraft, type Field, FIELDS } from './expense.js';
import { CURRENCIES, formatMinorUnits, groupedReadingOf, minorUnitsOf } from './money.js';

/** What one claim may come to, and from where on it needs a receipt. Minor units. */
interface Rules {
  readonly limit: bigint;
  readonly receiptFrom: bigint;
}

const RULES: ReadonlyMap<string, Rules> = new Map([
  ['EUR', { limit: 5_000_00n, receiptFrom: 100_00n }],
  ['USD', { limit: 5_000_00n, receiptFrom: 100_00n }],
  ['GBP', { limit: 4_500_00n, receiptFrom: 100_00n }],
  ['CHF', { limit: 5_000_00n, receiptFrom: 100_00n }],
  ['JPY', { limit: 800_000n, receiptFrom: 16_000n }],
]);

/** An expense may be dated this far ahead: it is tomorrow already further east. */
const AHEAD_MS = 86_400_000;

/** How a question names each field. */
const NAMES: Readonly<Record<Field, string>> = {
  amount: 'the amount',
  currency: `the currency (${CURRENCIES.join(', ')})`,
  purpose: 'the purpose',
  costCentre: 'the cost centre',
  date: 'the date (YYYY-MM-DD)',
  receipt: 'a receipt reference',
};

/** What the policy says of a draft: refused for good, not complete yet, or ready for a person's approval. */
export type Verdict =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'incomplete'; readonly missing: readonly Field[]; readonly question: string }
  | { readonly kind: 'complete'; readonly expense: Expense };

/** @param nowMs the present, Unix epoch in milliseconds: nothing is paid before it is spent */
export function judge(draft: ExpenseDraft, nowMs: number): Verdict {
  const { purpose, costCentre, date, receipt } = draft;
  const price = priceOf(draft);
  if (price && price.units > price.rules.limit) {
    const limit = `${formatMinorUnits(price.rules.limit, price.currency)} ${price.currency}`;
    return { kind: 'refused', reason: `Expenses over ${limit} cannot be claimed here. Please use a purchase order.` };
  }
  const isAhead = date !== undefined && Date.parse(date) > nowMs + AHEAD_MS;
  const lacksReceipt = price !== undefined && price.units >= price.rules.receiptFrom && !receipt;
  if (price && purpose && costCentre && date && !isAhead && !lacksReceipt) {
    const { currency } = price;
    const expense = { amount: formatMinorUnits(price.units, currency), currency, purpose, costCentre, date };
    return { kind: 'complete', expense: receipt ? { ...expense, receipt } : expense };
  }
  const lacks: Readonly<Record<Field, boolean>> = {
    amount: !draft.amount || (draft.currency !== undefined && !price),
    currency: !draft.currency,
    purpose: !purpose,
    costCentre: !costCentre,
    date: !date || isAhead,
    receipt: lacksReceipt,
  };
  const missing = FIELDS.filter((field) => lacks[field]);
  return { kind: 'incomplete', missing, question: `To go on I need ${inWords(missing.map((field) => nameOf(field, draft)))}.` };
}

/** What is missing, and what was wrong with the value that was given. */
function nameOf(field: Field, { amount, date }: ExpenseDraft): string {
  const grouped = field === 'amount' && amount !== undefined ? groupedReadingOf(amount) : undefined;
  if (grouped) return `the amount (${grouped} or ${amount}? Please write it without a separator for thousands)`;
  if (field === 'date' && date !== undefined) return `the right date (${date} is in the future; YYYY-MM-DD)`;
  return NAMES[field];
}

/** Undefined until amount and currency are known and go together. */
function priceOf({ amount, currency }: ExpenseDraft): { units: bigint; currency: string; rules: Rules } | undefined {
  if (amount === undefined || currency === undefined) return undefined;
  const units = minorUnitsOf(amount, currency);
  const rules = RULES.get(currency);
  return units === undefined || rules === undefined ? undefined : { units, currency, rules };
}

/** `a`, `a and b`, `a, b and c`. */
function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
