import { type JsonValue } from '@bufbuild/protobuf';
import { type ExpenseDraft, type Field, FIELDS } from './expense.js';
import { CURRENCIES, parseAmount } from './money.js';

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
]);
const COST_CENTRE = /^[A-Z]{0,4}-?\d[\w-]{0,15}$/;
const RECEIPT = /^[\w][\w ./:-]{0,127}$/;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const MAX_PURPOSE = 200;

/** Other spellings of the members of a data part. */
const ALIASES: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['cost_centre', 'costCentre'],
  ['costCenter', 'costCentre'],
  ['cost_center', 'costCentre'],
  ['receiptReference', 'receipt'],
  ['receipt_reference', 'receipt'],
]);

/** How each field's text is understood; undefined for what makes no sense there. */
const READERS: Readonly<Record<Field, (text: string) => string | undefined>> = {
  amount: parseAmount,
  currency: (text) => [SYMBOLS.get(text) ?? text.toUpperCase()].find((code) => CURRENCIES.includes(code)),
  purpose: (text) => text.replace(/\s+/g, ' ').trim().slice(0, MAX_PURPOSE) || undefined,
  costCentre: (text) => [text.trim().toUpperCase()].find((code) => COST_CENTRE.test(code)),
  date: calendarDate,
  receipt: (text) => [text.trim()].find((reference) => RECEIPT.test(reference)),
};

/** The fields that make sense; the others are left out, and asked for again. Input is anybody's. */
export function understand(said: Readonly<Record<string, JsonValue | undefined>>): ExpenseDraft {
  const named = new Map(Object.entries(said).map(([name, value]) => [ALIASES.get(name) ?? name, value]));
  const understood = FIELDS.map((field) => {
    const value = named.get(field);
    const text = typeof value === 'number' ? String(value) : value;
    return [field, typeof text === 'string' ? READERS[field](text) : undefined] as const;
  });
  return Object.fromEntries(understood.filter(([, value]) => value !== undefined));
}

/** `2026-11-03`, if there is such a day. */
function calendarDate(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = DATE.exec(text.trim()) ?? [];
  const date = new Date(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day) ? undefined : date.toISOString().slice(0, 10);
}
