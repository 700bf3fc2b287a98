import { type TaskQuery, TaskState } from '@a2a/a2a-core';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { startPostgres, type TestPostgres } from '../../../../test/support/postgres.js';
import { openStore } from '../open-store.js';
import { PostgresConnection } from './postgres.connection.js';
import { listStatement } from './task-statements.js';

const FILTERS: readonly Omit<TaskQuery, 'limit'>[] = [
  {},
  { contextId: 'c' },
  { state: TaskState.WORKING },
  { statusAtOrAfterMs: 1 },
  { contextId: 'c', state: TaskState.WORKING, statusAtOrAfterMs: 1 },
];

describeStore('postgres', 'Lists of tasks', () => {
  let postgres: TestPostgres;
  let connection: PostgresConnection;
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres.createDatabase();
    await (await openStore({ url })).close();
    connection = await PostgresConnection.open(url, {});
  });
  afterAll(async () => {
    await connection.close();
    await postgres.stop();
  });

  it.each(FILTERS.flatMap((filter) => [filter, { ...filter, after: { statusAtMs: 2, taskId: 't' } }]))(
    'cost what their page costs, the last page no more than the first: %j [D14]',
    async (query: Omit<TaskQuery, 'limit'>) => {
      const { after, ...filters } = query;
      const values = ['agent', 'tenant', 'owner', ...Object.values(filters), ...(after ? [after.statusAtMs, after.taskId] : []), 50];
      const text = `EXPLAIN ${listStatement({ ...query, limit: 50 }).text}`;
      const plan = (await connection.runRepeatable({ name: '', text }, values)).map((line) => JSON.stringify(line)).join('\n');
      expect(plan).toMatch(/Index (Only )?Scan Backward using a2a_task_by_/);
      expect(plan).not.toContain('Seq Scan');
    },
  );
});
