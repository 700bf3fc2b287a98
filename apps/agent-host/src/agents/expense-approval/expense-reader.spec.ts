import { dataPart, rawPart, textPart, userMessage } from '@a2a/a2a-core';
import { type Field } from './expense.js';
import { readMessage } from './expense-reader.js';

const TAXI = { amount: '42.50', currency: 'EUR', purpose: 'taxi', date: '2026-11-03', costCentre: '4711' };

const EVERYTHING: readonly Field[] = ['amount', 'currency', 'purpose', 'costCentre', 'date'];

function read(text: string, asked: readonly Field[] = EVERYTHING): object {
  return readMessage(userMessage(text), asked);
}

describe('an expense in prose', () => {
  it.each([
    '42.50 EUR for taxi on 2026-11-03, cost centre 4711',
    'EUR 42.50 for a taxi on 2026-11-03; cost center: 4711',
    'For taxi on 2026-11-03: €42.50, cost centre 4711',
    'cost centre 4711, date 2026-11-3, amount 42.50 EUR\npurpose: taxi',
  ])('is read: %s', (text) => {
    expect(read(text)).toEqual(TAXI);
  });

  it.each([
    ['1 234 EUR', '1234'],
    ['EUR 12 345,60 for a server', '12345.60'],
    ['€1\u202f234.5', '1234.5'],
    ['amount: 1\u00a0234\u00a0567 USD', '1234567'],
    ['2 taxis, 120 EUR', '120'],
    ['on 2026-11-03 500 EUR', '500'],
    ['cost centre 4711 500 EUR', '500'],
    ['cost centre 12 500 EUR', '500'],
  ])('has thousands apart by spaces, and no more than that: %s', (text, amount) => {
    expect(read(text)).toMatchObject({ amount });
  });

  it('may come in pieces', () => {
    expect(read('I spent 1.234,50 chf')).toEqual({ amount: '1234.50', currency: 'CHF' });
    expect(read('A taxi, 42.50.')).toEqual({ amount: '42.50' });
    expect(read('Receipt no. R-2026/17, cost centre K-4711')).toEqual({ receipt: 'R-2026/17', costCentre: 'K-4711' });
  });

  it('is the value itself when one field was asked for', () => {
    expect(read('Dinner with the  auditors', ['purpose'])).toEqual({ purpose: 'Dinner with the auditors' });
    expect(read('4711', ['costCentre'])).toEqual({ costCentre: '4711' });
    expect(read('Dinner', ['purpose', 'date'])).toEqual({});
  });

  it('says nothing where a value makes no sense', () => {
    expect(read('0 EUR on 2026-02-30')).toEqual({ currency: 'EUR' });
    expect(read('tomorrow', ['date'])).toEqual({});
    expect(read('-42.50 EUR')).toEqual({ currency: 'EUR' });
    expect(read('-1 234 EUR')).toEqual({ currency: 'EUR' });
    expect(read('1234567890123 EUR')).toEqual({ currency: 'EUR' });
    expect(read('Hello!')).toEqual({});
  });

  it('takes no price for a purpose', () => {
    expect(read('a taxi for 42.50 EUR')).toEqual({ amount: '42.50', currency: 'EUR' });
  });

  it('takes a purpose in passing only while there is none', () => {
    expect(read('How long do I wait for the approval', [])).toEqual({});
    expect(read('purpose: dinner', [])).toEqual({ purpose: 'dinner' });
  });

  it('is read in no time from a hostile text', () => {
    const started = process.cpuUsage();
    read(`${'for '.repeat(50_000)}${'1,'.repeat(50_000)}${'receipt '.repeat(50_000)}`);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(500);
  });
});

describe('an expense as data', () => {
  it('is read with numbers and other spellings', () => {
    const data = { amount: 42.5, currency: 'eur', purpose: 'taxi', cost_center: '4711', date: '2026-11-03', receiptReference: 'R-1' };
    expect(readMessage(userMessage(dataPart(data)), [])).toEqual({ ...TAXI, amount: '42.5', receipt: 'R-1' });
  });

  it('wins over prose', () => {
    const message = userMessage([textPart('about 40 EUR for taxi'), dataPart({ amount: '42.50' })]);
    expect(readMessage(message, EVERYTHING)).toEqual({ amount: '42.50', currency: 'EUR', purpose: 'taxi' });
  });

  it.each([[null], [[1]], ['text'], [{ amount: -1, currency: 'SEK', date: '2026-13-01', costCentre: '<b>', receipt: {}, purpose: ' ' }]])(
    'is left out where it makes no sense: %j',
    (data) => {
      expect(readMessage(userMessage(dataPart(data)), [])).toEqual({});
    },
  );

  it('reaches no prototype', () => {
    const data = JSON.parse('{"__proto__":{"amount":"1"},"constructor":"x"}') as { [name: string]: string };
    expect(readMessage(userMessage(dataPart(data)), [])).toEqual({});
  });
});

it('takes the name of a file as the receipt', () => {
  const message = userMessage([
    textPart('taxi receipt'),
    rawPart(Buffer.from('%PDF'), { filename: 'taxi.pdf', mediaType: 'application/pdf' }),
  ]);
  expect(readMessage(message, [])).toEqual({ receipt: 'taxi.pdf' });
});
