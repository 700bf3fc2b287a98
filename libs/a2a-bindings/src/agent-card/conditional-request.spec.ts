import { isFresh } from './conditional-request.js';

const card = { etag: '"abc"', lastModified: new Date('2026-01-02T03:04:05Z') };
const EARLIER = 'Fri, 02 Jan 2026 03:04:04 GMT';
const SAME = 'Fri, 02 Jan 2026 03:04:05 GMT';

describe('isFresh', () => {
  it.each([
    [{ 'if-none-match': '"abc"' }],
    [{ 'if-none-match': 'W/"abc"' }],
    [{ 'if-none-match': '"x", "abc"' }],
    [{ 'if-none-match': '*' }],
    [{ 'if-modified-since': SAME }],
    [{ 'if-none-match': '"abc"', 'if-modified-since': EARLIER }],
  ])('has it already: %j [CACHE-05]', (headers) => expect(isFresh(headers, card)).toBe(true));

  it.each([
    [{}],
    [{ 'if-none-match': '"x"' }],
    [{ 'if-none-match': 'abc' }],
    [{ 'if-modified-since': EARLIER }],
    [{ 'if-modified-since': 'yesterday' }],
    [{ 'if-none-match': '"x"', 'if-modified-since': SAME }],
  ])('does not have it: %j [CACHE-05]', (headers) => expect(isFresh(headers, card)).toBe(false));
});
