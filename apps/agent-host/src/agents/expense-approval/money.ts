/** Currencies that can be booked, with their decimals (ISO 4217). */
export const DECIMALS: ReadonlyMap<string, number> = new Map([
  ['EUR', 2],
  ['USD', 2],
  ['GBP', 2],
  ['CHF', 2],
  ['JPY', 0],
]);

export const CURRENCIES = [...DECIMALS.keys()];

const AMOUNT = /^(\d{1,3}(?:[.,' ]\d{3})+|\d{1,12})(?:[.,](\d{1,2}))?$/;

/**
 * Reads an amount as people write it: `42.5`, `42,50`, `1.234,50`, `1,234.50`. A separator before exactly three digits groups thousands.
 *
 * @returns the plain decimal, such as `1234.50`; undefined when it is no positive amount
 */
export function parseAmount(text: string): string | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (/^0*$/.test(digits + fraction)) return undefined;
  return fraction ? `${digits}.${fraction}` : digits;
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
