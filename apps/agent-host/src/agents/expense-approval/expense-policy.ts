import { type Expense, type ExpenseDraft, type Field } from './expense.js';
import { CURRENCIES, formatMinorUnits, minorUnitsOf } from './money.js';

/** What one claim may come to, and from where on it needs a receipt. Minor units. */
const RULES: Readonly<Record<string, { readonly limit: bigint; readonly receiptFrom: bigint }>> = {
  EUR: { limit: 5_000_00n, receiptFrom: 100_00n },
  USD: { limit: 5_000_00n, receiptFrom: 100_00n },
  GBP: { limit: 4_500_00n, receiptFrom: 100_00n },
  CHF: { limit: 5_000_00n, receiptFrom: 100_00n },
  JPY: { limit: 800_000n, receiptFrom: 16_000n },
};

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

export function judge(draft: ExpenseDraft): Verdict {
  const { amount, currency, purpose, costCentre, date, receipt } = draft;
  const rules = currency === undefined ? undefined : RULES[currency];
  const units = amount === undefined || currency === undefined ? undefined : minorUnitsOf(amount, currency);

  if (rules && units !== undefined && currency !== undefined && units > rules.limit) {
    const limit = `${formatMinorUnits(rules.limit, currency)} ${currency}`;
    return { kind: 'refused', reason: `Expenses over ${limit} cannot be claimed here. Please use a purchase order.` };
  }
  if (rules && units !== undefined && currency && purpose && costCentre && date && (receipt || units < rules.receiptFrom)) {
    const expense = { amount: formatMinorUnits(units, currency), currency, purpose, costCentre, date };
    return { kind: 'complete', expense: receipt ? { ...expense, receipt } : expense };
  }
  const missing: Field[] = [];
  if (amount === undefined || (rules && units === undefined)) missing.push('amount');
  if (!rules) missing.push('currency');
  if (!purpose) missing.push('purpose');
  if (!costCentre) missing.push('costCentre');
  if (!date) missing.push('date');
  if (!receipt && rules && units !== undefined && units >= rules.receiptFrom) missing.push('receipt');
  return { kind: 'incomplete', missing, question: `To go on I need ${inWords(missing.map((field) => NAMES[field]))}.` };
}

/** `a`, `a and b`, `a, b and c`. */
function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
