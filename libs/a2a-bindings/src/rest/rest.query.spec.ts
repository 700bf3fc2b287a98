import { InvalidParamsError, GetTaskRequestSchema, ListTasksRequestSchema } from '@a2a/a2a-core';
import { readQuery } from './rest.query.js';

const list = (query: string) => readQuery(ListTasksRequestSchema, query);

function violations(query: string): string[] {
  try {
    list(query);
  } catch (error) {
    if (error instanceof InvalidParamsError) return (error.details.fieldViolations ?? []).map(({ field }) => field);
  }
  throw new Error(`${query} was accepted`);
}

describe('readQuery', () => {
  it('reads each kind of value by the type of its member [REST-07]', () => {
    const query =
      'contextId=c%2F1&status=TASK_STATE_WORKING&pageSize=5&includeArtifacts=true&historyLength=0&statusTimestampAfter=2026-01-01T00:00:00.000Z';
    expect(list(query)).toEqual({
      contextId: 'c/1',
      status: 'TASK_STATE_WORKING',
      pageSize: 5,
      includeArtifacts: true,
      historyLength: 0,
      statusTimestampAfter: '2026-01-01T00:00:00.000Z',
    });
  });

  it('takes the names of the proto too [REST-08]', () => {
    expect(list('page_size=5&history_length=1')).toEqual({ pageSize: 5, historyLength: 1 });
  });

  it('ignores what it does not know, and an empty query [REST-08]', () => {
    expect(list('A2A-Version=1.0&x=%zz&__proto__=1&constructor=2&&pageSize=5')).toEqual({ pageSize: 5 });
    expect(list('')).toEqual({});
  });

  it.each([
    ['pageSize=abc', ['pageSize']],
    ['pageSize=', ['pageSize']],
    ['pageSize', ['pageSize']],
    ['pageSize=1e3', ['pageSize']],
    ['pageSize=5.0', ['pageSize']],
    ['pageSize=0x10', ['pageSize']],
    ['pageSize=+5', ['pageSize']],
    ['pageSize=%205', ['pageSize']],
    ['pageSize=5&pageSize=5', ['pageSize']],
    ['pageSize=5&page_size=5', ['pageSize']],
    ['includeArtifacts=1', ['includeArtifacts']],
    ['includeArtifacts=True', ['includeArtifacts']],
    ['status=working', ['status']],
    ['status=2', ['status']],
    ['status=toString', ['status']],
    ['contextId=%zz', ['contextId']],
    ['contextId=a%00b', ['contextId']],
    ['pageSize=x&historyLength=y', ['pageSize', 'historyLength']],
  ])('refuses %s, naming the member [REST-08, LIST-08]', (query, fields) => {
    expect(violations(query)).toEqual(fields);
  });

  it('leaves + as it is [REST-06, RFC 3986]', () => {
    expect(list('pageToken=a+b%2Bc')).toEqual({ pageToken: 'a+b+c' });
  });

  it('knows the members of each request by its own schema', () => {
    expect(readQuery(GetTaskRequestSchema, 'historyLength=3&pageSize=abc')).toEqual({ historyLength: 3 });
  });
});
