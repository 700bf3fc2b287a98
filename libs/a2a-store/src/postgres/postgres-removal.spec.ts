import { creation, growth, newScope } from '../../../../test/contracts/task-changes.js';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { startPostgres, type TestPostgres } from '../../../../test/support/postgres.js';
import { openStore } from '../open-store.js';
import { PostgresConnection } from './postgres.connection.js';
import { PostgresRemoval } from './postgres-removal.js';
import { DELETE_UNWRITTEN } from './state-statements.js';
import { DELETE_EVENTS, FIND_ENDED } from './removal-statements.js';

describeStore('postgres', 'PostgresRemoval', () => {
  let postgres: TestPostgres;
  let url: string;
  let connection: PostgresConnection;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    await (await openStore({ url })).close();
    connection = await PostgresConnection.open(url, {});
  });
  afterAll(async () => {
    await connection.close();
    await postgres.stop();
  });

  it('finishes what a process left that died in the middle of a removal', async () => {
    const store = await openStore({ url });
    const scope = newScope();
    for (const id of ['a', 'b', 'kept']) {
      await store.tasks.commit(scope, creation(id, { memos: new Map([['step', 1]]) }), 0);
      await store.tasks.commit(scope, growth(id, 1, ['x', 'y', 'z']), 1);
    }
    const { dataSource } = connection;
    await dataSource.query("INSERT INTO a2a_deleted_task SELECT no FROM a2a_task WHERE id <> 'kept'");
    await dataSource.query("DELETE FROM a2a_task WHERE id <> 'kept'");
    const removal = new PostgresRemoval(connection);
    expect([await removal.finish(5), await removal.finish(5), await removal.finish(5)]).toEqual([5, 2, 0]);
    const left: unknown = await dataSource.query(
      'SELECT (SELECT count(*) FROM a2a_event)::int AS events, (SELECT count(*) FROM a2a_memo)::int AS memos',
    );
    expect(left).toEqual([{ events: 4, memos: 1 }]);
    await store.close();
  });

  it.each([
    ['ended tasks', FIND_ENDED.text, [0, 0, 0, 1], 'a2a_task_ended'],
    ['old values', DELETE_UNWRITTEN.text, [0, 1], 'a2a_state_by_age'],
    ['events of a task', DELETE_EVENTS.text, [[1], 1], 'a2a_event'],
  ])('finds %s by an index, however many rows there are', async (_, text, values, index) => {
    const plan = await connection.runRepeatable({ name: '', text: `EXPLAIN ${text}` }, values);
    const lines = plan.map((line) => JSON.stringify(line)).join('\n');
    expect(lines).toContain(index);
    expect(lines).not.toMatch(/Seq Scan|Sort/);
  });
});
