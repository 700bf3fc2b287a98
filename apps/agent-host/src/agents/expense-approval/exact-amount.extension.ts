import { type JsonObject } from '@bufbuild/protobuf';
import { type ExtensionDeclaration } from '@a2a/a2a-core';
import { type Expense } from './expense.js';
import { DECIMALS, minorUnitsOf } from './money.js';

/** Data only: amounts of artifacts in minor units, for programs that must not round. */
export const EXACT_AMOUNT: ExtensionDeclaration = {
  uri: 'urn:a2a-nest:extension:exact-amount:v1',
  description: 'Artifacts carry their amount in minor units, as a decimal string: {"currency", "minorUnits", "decimals"}',
  required: false,
};

/** What the extension adds to an artifact; nothing unless the caller has activated it. */
export function exactAmountOf(
  expense: Expense,
  activated: readonly string[],
): { readonly extensions?: string[]; readonly metadata?: JsonObject } {
  const { uri } = EXACT_AMOUNT;
  const units = minorUnitsOf(expense.amount, expense.currency);
  const decimals = DECIMALS.get(expense.currency);
  if (!activated.includes(uri) || units === undefined || decimals === undefined) return {};
  return { extensions: [uri], metadata: { [uri]: { currency: expense.currency, minorUnits: units.toString(), decimals } } };
}
