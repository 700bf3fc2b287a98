/** Currencies that can be booked, with their decimals (ISO 4217). */
export const DECIMALS: ReadonlyMap<string, number> = new Map([
  ['EUR', 2],
  ['USD', 2],
  ['GBP', 2],
  ['CHF', 2],
  ['JPY', 0],
]);

export const CURRENCIES = [...DECIMALS.keys()];

const PLAIN = /^(?<whole>\d{1,12})(?:[.,](?<fraction>\d{1,2}))?$/;
const GROUPED = /^(?<whole>[1-9]\d{0,2}(?<sign>[.,' ])\d{3}(?:\k<sign>\d{3}){0,3})(?:(?!\k<sign>)[.,](?<fraction>\d{1,2}))?$/;
/** One point or comma, and three digits behind it: thousands for some, decimals for others. */
const TWO_READINGS = /^([1-9]\d{0,2})[.,](\d{3})$/;

/**
 * Reads an amount as people write it: `42.5`, `42,50`, `1.234,50`, `1,234.50`, `1 234,50`. What groups thousands is one sign throughout, and another
 * than the decimal one.
 *
 * @returns the plain decimal, such as `1234.50`; `5.555` for an amount with two readings (see `groupedReadingOf`), which is more decimals
 * than any currency has; undefined when it is no positive amount
 */
export function parseAmount(text: string): string | undefined {
  const amount = text.trim().replace(/\s/g, ' ');
  const [, thousands, rest] = TWO_READINGS.exec(amount) ?? [];
  if (thousands !== undefined) return `${thousands}.${rest}`;
  const { whole, fraction = '' } = (PLAIN.exec(amount) ?? GROUPED.exec(amount))?.groups ?? {};
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (/^0*$/.test(digits + fraction)) return undefined;
  return fraction ? `${digits}.${fraction}` : digits;
}

/** What a parsed amount is when its point groups thousands: `5555` for `5.555`. Undefined when it can only be read in one way. */
export function groupedReadingOf(amount: string): string | undefined {
  return TWO_READINGS.test(amount) ? amount.replace('.', '') : undefined;
}

/** The amount in the smallest unit of its currency; exact. Undefined when it has more decimals than the currency. */
export function minorUnitsOf(amount: string, currency: string): bigint | undefined {
  const decimals = DECIMALS.get(currency);
  const [whole = '', fraction = ''] = amount.split('.');
  if (decimals === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** The twin of `minorUnitsOf`: always with all decimals of the currency. */
export function formatMinorUnits(units: bigint, currency: string): string {
  const decimals = DECIMALS.get(currency) ?? 0;
  const digits = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
