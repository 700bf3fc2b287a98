/** An amount paid by a customer, in cents. */
export interface Invoice {
  readonly number: string;
  readonly cents: number;
}

/** Sample data: one book for each tenant, and one for callers without. A real agent asks its own service. */
const BOOKS: ReadonlyMap<string, readonly Invoice[]> = new Map([
  ['', [{ number: 'INV-1', cents: 12_000 }]],
  [
    'acme',
    [
      { number: 'INV-7', cents: 4_250 },
      { number: 'INV-8', cents: 250_000 },
    ],
  ],
  ['globex', [{ number: 'INV-9', cents: 99_900 }]],
]);

/** The tenant is part of the question, so that no number finds the invoice of somebody else. */
export function invoicesOf(tenant: string): readonly Invoice[] {
  return BOOKS.get(tenant) ?? [];
}
