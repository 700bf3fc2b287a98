import { formatKey, parseKey } from './key-text.js';

describe('key text', () => {
  const ids = ['plain-id', '', '\0', '\ud800', '\udfff\ud800', '🦊', '\\', '\\u0000', '\\\\u0000', '\\\0', 'a\\b\0c\ud801', 'größe'];

  it.each(ids)('reads %j back as it was', (id) => {
    expect(parseKey(formatKey(id))).toBe(id);
  });

  it('makes different keys of different ids', () => {
    expect(new Set(ids.map(formatKey)).size).toBe(ids.length);
  });

  it('leaves nothing in a key that a text column would refuse or change', () => {
    for (const id of ids) {
      const key = formatKey(id);
      expect(key).not.toContain('\0');
      expect(key).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('leaves ordinary ids as they are, so that people can read the tables', () => {
    for (const id of ['0197-ab', "o'hara", 'größe', '🦊', '"%_']) expect(formatKey(id)).toBe(id);
  });
});
