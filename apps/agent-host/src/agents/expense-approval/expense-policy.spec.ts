import { judge } from './expense-policy.js';

const TAXI = { amount: '42.5', currency: 'EUR', purpose: 'taxi', date: '2026-11-03', costCentre: '4711' };
const NOW_MS = Date.UTC(2026, 10, 30, 12);

describe('the expense policy', () => {
  it('asks for all that is missing in one question', () => {
    expect(judge({ purpose: 'taxi' }, NOW_MS)).toEqual({
      kind: 'incomplete',
      missing: ['amount', 'currency', 'costCentre', 'date'],
      question: 'To go on I need the amount, the currency (EUR, USD, GBP, CHF, JPY), the cost centre and the date (YYYY-MM-DD).',
    });
  });

  it('takes a complete expense, with all decimals of its currency', () => {
    expect(judge(TAXI, NOW_MS)).toEqual({ kind: 'complete', expense: { ...TAXI, amount: '42.50' } });
  });

  it('wants a receipt from 100 EUR on', () => {
    expect(judge({ ...TAXI, amount: '99.99' }, NOW_MS)).toMatchObject({ kind: 'complete' });
    expect(judge({ ...TAXI, amount: '100' }, NOW_MS)).toMatchObject({ kind: 'incomplete', missing: ['receipt'] });
    expect(judge({ ...TAXI, amount: '100', receipt: 'R-1' }, NOW_MS)).toMatchObject({ kind: 'complete', expense: { receipt: 'R-1' } });
  });

  it('refuses what is over the limit as soon as it knows, with the reason', () => {
    expect(judge({ ...TAXI, amount: '5000', receipt: 'R-1' }, NOW_MS)).toMatchObject({ kind: 'complete' });
    expect(judge({ amount: '5000.01', currency: 'EUR' }, NOW_MS)).toEqual({
      kind: 'refused',
      reason: 'Expenses over 5000.00 EUR cannot be claimed here. Please use a purchase order.',
    });
  });

  it('asks again for an amount with more decimals than the currency has', () => {
    expect(judge({ ...TAXI, currency: 'JPY' }, NOW_MS)).toMatchObject({ kind: 'incomplete', missing: ['amount'] });
  });

  it('names both readings of an amount with three digits behind its separator', () => {
    expect(judge({ ...TAXI, amount: '5.555' }, NOW_MS)).toEqual({
      kind: 'incomplete',
      missing: ['amount'],
      question: 'To go on I need the amount (5555 or 5.555? Please write it without a separator for thousands).',
    });
  });

  it('asks for the right date when the expense would lie in the future', () => {
    expect(judge({ ...TAXI, date: '2036-11-20' }, NOW_MS)).toEqual({
      kind: 'incomplete',
      missing: ['date'],
      question: 'To go on I need the right date (2036-11-20 is in the future; YYYY-MM-DD).',
    });
    expect(judge({ ...TAXI, date: '2026-12-02' }, NOW_MS)).toMatchObject({ kind: 'incomplete', missing: ['date'] });
  });

  it('takes the date of tomorrow, which is today further east', () => {
    expect(judge({ ...TAXI, date: '2026-12-01' }, NOW_MS)).toMatchObject({ kind: 'complete' });
  });
});
