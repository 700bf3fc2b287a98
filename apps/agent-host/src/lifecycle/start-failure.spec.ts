import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ConfigError, readHostConfig } from '../config/host.config.js';
import { explainStartFailure } from './start-failure.js';

const config = readHostConfig({});

describe('explainStartFailure', () => {
  it('lists every wrong setting and where all are explained', () => {
    const text = explainStartFailure(new ConfigError(['PORT is "x": it must be …', 'LOG_LEVEL is "y": it must be …']));
    expect(text.split('\n')).toEqual([
      'The host cannot start: 2 settings are wrong.',
      '  PORT is "x": it must be …',
      '  LOG_LEVEL is "y": it must be …',
      'All settings: docs/configuration.md',
    ]);
  });

  it('names the port that is taken and the setting that changes it', async () => {
    const [first, second] = [createServer(), createServer()];
    await once(first.listen(0, '127.0.0.1'), 'listening');
    const { port } = first.address() as AddressInfo;
    second.listen(port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [Error];
    first.close();
    const expected = (setting: string) =>
      `The host cannot start: port ${port} is in use. Stop the process that has it, or set ${setting} to a free one.`;
    expect(explainStartFailure(error, { ...config, port })).toBe(expected('PORT'));
    expect(explainStartFailure(error, { ...config, grpcPort: port })).toBe(expected('GRPC_PORT'));
  });

  it("understands gRPC's own words for a port in use", () => {
    const error = new Error('No address added out of total 1 resolved errors: [listen EADDRINUSE: address already in use 127.0.0.1:50051]');
    expect(explainStartFailure(error, config)).toContain('port 50051 is in use');
  });

  it.each([
    [{ code: 'ECONNREFUSED' }, 'the database at db.example:5432 cannot be reached (ECONNREFUSED). Start it, or correct DATABASE_URL.'],
    [
      { errors: [{ code: 'ECONNREFUSED' }] },
      'the database at db.example:5432 cannot be reached (ECONNREFUSED). Start it, or correct DATABASE_URL.',
    ],
    [{ code: '28P01' }, 'the database at db.example:5432 refuses the user or the password. Correct DATABASE_URL.'],
    [{ code: '3D000' }, 'there is no database tasks at db.example:5432. Create it, or correct DATABASE_URL.'],
  ])('says what is wrong with PostgreSQL for %j, without its password', (facts, expected) => {
    const postgres = readHostConfig({ DATABASE_URL: 'postgres://app:hunter2@db.example:5432/tasks' });
    expect(explainStartFailure(Object.assign(new Error(''), facts), postgres)).toBe(`The host cannot start: ${expected}`);
  });

  it.each(['SQLITE_CANTOPEN', 'SQLITE_NOTADB', 'EACCES', 'ENOTDIR'])('names the SQLite file for %s', (code) => {
    const error = Object.assign(new Error('unable to open database file'), { code });
    expect(explainStartFailure(error, config)).toBe(
      'The host cannot start: sqlite:./data/a2a.sqlite cannot be used (unable to open database file). ' +
        'Correct DATABASE_URL, or let this user write there.',
    );
  });

  it('says which setting names the default agent', () => {
    const error = new Error('defaultAgent "x" is not hosted; known: echo');
    expect(explainStartFailure(error, config)).toContain('known: echo. Set A2A_DEFAULT_AGENT to one of them.');
  });

  it('says how to mend a driver of another Node', () => {
    const error = new Error("The module '/x/better_sqlite3.node' was compiled against a different Node.js version");
    expect(explainStartFailure(error, config)).toContain('npm rebuild better-sqlite3');
  });

  it('says anything else in its own words, without a stack and without a credential', () => {
    const text = explainStartFailure(new Error('connect postgres://app:hunter2@db:5432/a2a failed'), config);
    expect(text).toBe('The host cannot start: connect postgres://[redacted]@db:5432/a2a failed');
  });
});
