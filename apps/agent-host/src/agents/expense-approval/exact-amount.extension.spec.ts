import { EXACT_AMOUNT, exactAmountOf } from './exact-amount.extension.js';

const EXPENSE = { amount: '42.50', currency: 'EUR', purpose: 'taxi', date: '2026-11-03', costCentre: '4711' };

describe('the exact amount extension', () => {
  it('adds nothing unless it is activated [EXT-02]', () => {
    expect(exactAmountOf(EXPENSE, [])).toEqual({});
    expect(exactAmountOf(EXPENSE, [`${EXACT_AMOUNT.uri}/other`])).toEqual({});
  });

  it('puts its data into metadata under its URI, and names itself [EXT-08]', () => {
    expect(exactAmountOf(EXPENSE, [EXACT_AMOUNT.uri])).toEqual({
      extensions: [EXACT_AMOUNT.uri],
      metadata: { [EXACT_AMOUNT.uri]: { currency: 'EUR', minorUnits: '4250', decimals: 2 } },
    });
  });

  it('is not required, because it only adds data [EXT-10]', () => {
    expect(EXACT_AMOUNT.required).toBe(false);
  });
});
