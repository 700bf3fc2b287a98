import { isBase64, isOnCalendar } from './json-scalars.js';

describe('isBase64', () => {
  it.each(['', 'aGk=', 'aGk', 'aA==', 'aA', 'a-_k', 'a+/k', 'AAAA'])('takes %j [SER-08]', (text) => {
    expect(isBase64(text)).toBe(true);
  });

  it.each(['a', 'aGk==', 'aA=', '=', '====', 'aGk=aGk=', 'a Gk', 'aGk\n', 'AAAA=', '*', 'é', 'aGk=\n'])('refuses %j [SER-08]', (text) => {
    expect(isBase64(text)).toBe(false);
  });
});

describe('isOnCalendar', () => {
  it.each([
    '2026-01-31T00:00:00Z',
    '2024-02-29T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59+02:00',
    '0004-02-29T00:00:00Z',
  ])('takes %s [SER-07]', (timestamp) => {
    expect(isOnCalendar(timestamp)).toBe(true);
  });

  it.each(['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-00T00:00:00Z', 'soon'])(
    'refuses %s [SER-07, LIST-08]',
    (timestamp) => {
      expect(isOnCalendar(timestamp)).toBe(false);
    },
  );
});
