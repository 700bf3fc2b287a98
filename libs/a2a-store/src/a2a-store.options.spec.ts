import { parseStoreUrl } from './a2a-store.options.js';

describe('parseStoreUrl', () => {
  it.each([
    ['sqlite:./data/a2a.sqlite', './data/a2a.sqlite'],
    ['sqlite:/var/lib/a2a.sqlite', '/var/lib/a2a.sqlite'],
    ['sqlite:///var/lib/a2a.sqlite', '/var/lib/a2a.sqlite'],
    ['sqlite::memory:', ':memory:'],
  ])('reads %s', (url, file) => {
    expect(parseStoreUrl(url)).toEqual({ dialect: 'sqlite', file });
  });

  it.each(['postgres://u:p@h:5432/d', 'postgresql://h/d?sslmode=require'])('reads %s', (url) => {
    expect(parseStoreUrl(url)).toEqual({ dialect: 'postgres', url });
  });

  it.each(['', 'sqlite:', 'mysql://root:hunter2@h/d', './a2a.sqlite'])('refuses %j, names what it takes and repeats no password', (url) => {
    expect(() => parseStoreUrl(url)).toThrow(/A2aStoreModule: url must be sqlite:<file>.*postgres:/);
    expect(() => parseStoreUrl(url)).not.toThrow('hunter2');
  });
});
