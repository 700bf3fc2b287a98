import { formatMinorUnits, groupedReadingOf, minorUnitsOf, parseAmount } from './money.js';

describe('parseAmount', () => {
  it.each([
    ['42.5', '42.5'],
    ['42,50', '42.50'],
    ['007', '7'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ["1'234", '1234'],
    ['1 234', '1234'],
    ['1\u00a0234,50', '1234.50'],
    ['12\u202f345', '12345'],
    ['1,234,567', '1234567'],
  ])('reads %s as %s', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it.each([
    ['5.555', '5.555', '5555'],
    ['1,234', '1.234', '1234'],
    ['12.500', '12.500', '12500'],
  ])('leaves open what %s means', (text, amount, grouped) => {
    expect(parseAmount(text)).toBe(amount);
    expect(groupedReadingOf(amount)).toBe(grouped);
    expect(minorUnitsOf(amount, 'EUR')).toBeUndefined();
  });

  it.each(['1234.50', '1234', '5.5'])('has one reading for %s', (amount) => {
    expect(groupedReadingOf(amount)).toBeUndefined();
  });

  it.each(['', '0', '0.00', '0.000', '0.555', '-5', '1e9', '12.345,6789', '1.234,567', '1.234.50', '1234567890123', 'NaN', 'Infinity'])(
    'finds no amount in "%s"',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );
});

describe('minor units', () => {
  it.each([
    ['42.5', 'EUR', 4250n, '42.50'],
    ['42', 'EUR', 4200n, '42.00'],
    ['0.05', 'GBP', 5n, '0.05'],
    ['800000', 'JPY', 800_000n, '800000'],
    ['90071992547409.93', 'EUR', 9_007_199_254_740_993n, '90071992547409.93'],
  ])('are exact: %s %s', (amount, currency, units, formatted) => {
    expect(minorUnitsOf(amount, currency)).toBe(units);
    expect(formatMinorUnits(units, currency)).toBe(formatted);
  });

  it('refuse decimals the currency does not have, and currencies nobody books', () => {
    expect(minorUnitsOf('42.5', 'JPY')).toBeUndefined();
    expect(minorUnitsOf('42', 'XXX')).toBeUndefined();
    expect(minorUnitsOf('42', 'constructor')).toBeUndefined();
  });
});
