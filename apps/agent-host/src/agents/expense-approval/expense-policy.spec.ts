import { judge } from './expense-policy.js';

const TAXI = { amount: '42.5', currency: 'EUR', purpose: 'taxi', date: '2026-11-03', costCentre: '4711' };

describe('the expense policy', () => {
  it('asks for all that is missing in one question', () => {
    expect(judge({ purpose: 'taxi' })).toEqual({
      kind: 'incomplete',
      missing: ['amount', 'currency', 'costCentre', 'date'],
      question: 'To go on I need the amount, the currency (EUR, USD, GBP, CHF, JPY), the cost centre and the date (YYYY-MM-DD).',
    });
  });

  it('takes a complete expense, with all decimals of its currency', () => {
    expect(judge(TAXI)).toEqual({ kind: 'complete', expense: { ...TAXI, amount: '42.50' } });
  });

  it('wants a receipt from 100 EUR on', () => {
    expect(judge({ ...TAXI, amount: '99.99' })).toMatchObject({ kind: 'complete' });
    expect(judge({ ...TAXI, amount: '100' })).toMatchObject({ kind: 'incomplete', missing: ['receipt'] });
    expect(judge({ ...TAXI, amount: '100', receipt: 'R-1' })).toMatchObject({ kind: 'complete', expense: { receipt: 'R-1' } });
  });

  it('refuses what is over the limit as soon as it knows, with the reason', () => {
    expect(judge({ ...TAXI, amount: '5000', receipt: 'R-1' })).toMatchObject({ kind: 'complete' });
    expect(judge({ amount: '5000.01', currency: 'EUR' })).toEqual({
      kind: 'refused',
      reason: 'Expenses over 5000.00 EUR cannot be claimed here. Please use a purchase order.',
    });
  });

  it('asks again for an amount with more decimals than the currency has', () => {
    expect(judge({ ...TAXI, currency: 'JPY' })).toMatchObject({ kind: 'incomplete', missing: ['amount'] });
  });
});
