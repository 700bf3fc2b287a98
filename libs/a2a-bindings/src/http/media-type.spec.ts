import { isJsonMediaType } from './media-type.js';

describe('isJsonMediaType', () => {
  it.each([
    'application/json',
    'application/a2a+json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/a2a+json; version=1.0',
    'application/vnd.example.v2+json',
    'application/json;',
  ])('accepts %s [REST-03]', (type) => expect(isJsonMediaType(type)).toBe(true));

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-seq',
    'application/+json',
    'application/json, application/json',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset',
    'application/json text/plain',
    'multipart/form-data; boundary=application/json',
  ])('refuses %s [E6]', (type) => expect(isJsonMediaType(type)).toBe(false));

  it('answers a header made to be slow at once', () => {
    const started = process.cpuUsage();
    isJsonMediaType(`application/json${'; a=b'.repeat(3_000)};=`);
    isJsonMediaType(`application/${'a+'.repeat(8_000)}`);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(100);
  });
});
