import { mayWorkLater, wasRolledBack } from './statement-failure.js';

function serverError(code: string): Error {
  return Object.assign(new Error(code), { code, severity: 'ERROR' });
}

describe('statement failures', () => {
  it.each([
    ['unique key, a rival was first', serverError('23505'), true, true],
    ['deadlock', serverError('40P01'), true, true],
    ['serialization', serverError('40001'), true, true],
    ['statement timeout', serverError('57014'), true, true],
    ['too many connections', serverError('53300'), true, true],
    ['disk full', serverError('53100'), true, true],
    ['wrong bytes', serverError('22021'), true, false],
    ['no such table', serverError('42P01'), true, false],
    ['the server shuts down', serverError('57P01'), false, true],
    ['connection failure', serverError('08006'), false, true],
    ['broken server', serverError('XX000'), false, false],
    ['a reset connection', Object.assign(new Error('read'), { code: 'ECONNRESET' }), false, true],
    ['a broken pipe, whose code looks like an SQLSTATE', Object.assign(new Error('write'), { code: 'EPIPE' }), false, true],
    ['the driver gave up waiting', new Error('Query read timeout'), false, true],
  ])('%s', (_, error, rolledBack, transient) => {
    expect([wasRolledBack(error), mayWorkLater(error)]).toEqual([rolledBack, transient]);
  });
});
