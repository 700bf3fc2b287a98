import { type ExpenseDraft, type Field, FIELDS } from './expense.js';
import { understand } from './expense-fields.js';
import { CURRENCIES } from './money.js';

/** Longer texts hold no expense; the patterns below stay cheap. */
const MAX_LENGTH = 2_000;

const SPACE = String.raw`[ \u00a0\u202f]`;
/** What calls the number behind it: that one is no amount, though three digits may follow. */
const LABEL = String.raw`(?:cent(?:re|er)|receipt|number|no\.?)\s*[:=#]?\s*`;
/** Thousands apart by spaces, as in `1 234,50`. */
const SPACED = String.raw`(?<!${LABEL})[1-9]\d{0,2}(?:${SPACE}\d{3})+(?![\d'])(?:[.,]\d{1,2}(?!\d))?`;
/** Not the rest of a date, and not the rest of `-1 234`. */
const BEGINS = String.raw`(?<![\d.,-]|(?<!\d)-\d{1,3}${SPACE})`;
const NUMBER = String.raw`${BEGINS}(?:${SPACED}|\d[\d.,']*\d|\d)`;
const CODE = CURRENCIES.join('|');

/** Where a field stands in prose. The first pattern that fits wins; its group is the value. */
const PATTERNS: Readonly<Record<Field, readonly RegExp[]>> = {
  amount: [
    new RegExp(String.raw`(${NUMBER})\s*(?:${CODE}|[€$£])`, 'i'),
    new RegExp(String.raw`(?:\b(?:${CODE})|[€$£])\s*(${NUMBER})`, 'i'),
    new RegExp(String.raw`\bamount\s*(?:is|to|[:=])?\s*(${NUMBER})`, 'i'),
    /(?<![\w.,-])(\d[\d.,']*[.,]\d{2})(?![\w-])/,
  ],
  currency: [new RegExp(String.raw`(?:\b|\d)(${CODE})\b`, 'i'), /([€$£])/],
  purpose: [/\bpurpose\s*(?:is|[:=])?\s*([^,;\n]+)/i],
  costCentre: [/\bcost\s*cent(?:re|er)\s*(?:is|[:=#])?\s*([a-z]{0,4}-?\d[\w-]*)/i],
  date: [/\b(\d{4}-\d{1,2}-\d{1,2})\b/],
  receipt: [/\breceipt\s*(?:no\.?|number|ref(?:erence)?)?\s*(?:is|[:=#])?\s*((?=[\w/-]*\d)\w[\w/-]*)/i],
};

/** A purpose that is not called so. Taken only while it is asked for: once it is known, `wait for approval` must not change it. */
const IMPLIED_PURPOSE = /\bfor\s+(?:an?\s+|the\s+)?(?!\d|[€$£])([^,;\n]+?)(?=\s+on\s+\d|\s*[,;\n]|\.?\s*$)/im;

/**
 * What a sentence says of an expense, such as `42.50 EUR for taxi on 2026-11-03, cost centre 4711`.
 *
 * @param asked fields that the sentence may be the answer to. When it is one alone and no field is recognised, the whole text is its value
 */
export function readProse(text: string, asked: readonly Field[]): ExpenseDraft {
  const prose = text.slice(0, MAX_LENGTH).trim();
  const found = FIELDS.flatMap((field) => {
    const isImplied = field === 'purpose' && asked.includes(field);
    const value = firstMatch(prose, isImplied ? [...PATTERNS[field], IMPLIED_PURPOSE] : PATTERNS[field]);
    return value === undefined ? [] : [[field, value] as const];
  });
  const [only] = asked;
  const said = found.length === 0 && asked.length === 1 && only && prose ? [[only, prose] as const] : found;
  return understand(Object.fromEntries(said));
}

function firstMatch(prose: string, patterns: readonly RegExp[]): string | undefined {
  return patterns.map((pattern) => pattern.exec(prose)?.[1]).find((value) => value !== undefined);
}
