import { InvalidParamsError } from '../protocol/errors.js';
import { PageTokens } from './page-token.js';

describe('page tokens', () => {
  const tokens = new PageTokens(Buffer.alloc(32, 1));
  const boundTo = [{ agentId: 'a', tenant: 't', owner: 'o' }, 'context', 2];
  const token = tokens.seal([17, 'task'], boundTo);

  it('open to what they were sealed for', () => {
    expect(tokens.open(token, boundTo)).toEqual([17, 'task']);
  });

  const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.slice(-1)}`;
  it.each([
    ['another caller', token, [{ agentId: 'a', tenant: 't', owner: 'p' }, 'context', 2]],
    ['another tenant', token, [{ agentId: 'a', tenant: 'u', owner: 'o' }, 'context', 2]],
    ['another agent', token, [{ agentId: 'b', tenant: 't', owner: 'o' }, 'context', 2]],
    ['another filter', token, [{ agentId: 'a', tenant: 't', owner: 'o' }, 'other', 2]],
    ['a forged cursor', flipped, boundTo],
    ['a cut token', token.slice(0, 10), boundTo],
    ['something else', 'not a token', boundTo],
    ['nothing but a cursor', Buffer.from('[17,"task"]').toString('base64url'), boundTo],
  ])('give one and the same error for %s [LIST-03, E13]', (_what, given, to) => {
    expect(() => tokens.open(given, to)).toThrow(InvalidParamsError);
    expect(() => tokens.open(given, to)).toThrow('Invalid parameters: pageToken: invalid page token');
  });

  it('mean nothing under another key', () => {
    expect(() => new PageTokens(Buffer.alloc(32, 2)).open(token, boundTo)).toThrow(InvalidParamsError);
  });
});
