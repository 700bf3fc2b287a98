import type pg from 'pg';
import { UnavailableError } from '@a2a/a2a-core';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { startPostgres, type TestPostgres } from '../../../../test/support/postgres.js';
import { openStore } from '../open-store.js';
import { PostgresConnection } from './postgres.connection.js';
import { listStatement } from './task-statements.js';

describeStore('postgres', 'A list that takes too long', () => {
  let postgres: TestPostgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    await (await openStore({ url })).close();
  });
  afterAll(() => postgres.stop());

  it('is given up by the server, is not asked for again, and is UNAVAILABLE [D14]', async () => {
    const [connection, other] = [await PostgresConnection.open(url, { statementTimeoutMs: 200 }), await PostgresConnection.open(url, {})];
    const inTheWay = other.dataSource.createQueryRunner();
    await inTheWay.startTransaction();
    await inTheWay.query('LOCK TABLE a2a_task, a2a_owner_tally IN ACCESS EXCLUSIVE MODE');
    let attempts = 0;
    (connection.dataSource.driver as unknown as { master: pg.Pool }).master.on('acquire', () => attempts++);
    const list = (over: PostgresConnection) => over.runRepeatable(listStatement({ limit: 10 }), ['agent', 'tenant', 'owner', 11]);
    await expect(list(connection)).rejects.toThrow(UnavailableError);
    expect(attempts).toBe(1);
    await inTheWay.rollbackTransaction();
    await inTheWay.release();
    expect(await list(other)).toEqual([expect.objectContaining({ total: 0 })]);
    await Promise.all([connection.close(), other.close()]);
  });

  it('may take two seconds, unless the host says otherwise [D14]', async () => {
    const connection = await PostgresConnection.open(url, {});
    const shown = await connection.runRepeatable({ name: '', text: 'SHOW statement_timeout' }, []);
    expect(shown).toEqual([{ statement_timeout: '2s' }]);
    await connection.close();
  });
});
