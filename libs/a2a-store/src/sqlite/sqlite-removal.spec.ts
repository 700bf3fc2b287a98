import { creation, growth, newScope } from '../../../../test/contracts/task-changes.js';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { openSqlite } from './sqlite.connection.js';
import { SqliteRemoval } from './sqlite-removal.js';
import { SqliteTaskRepository } from './sqlite-task.repository.js';
import { WriteQueue } from './write-queue.js';

describeStore('sqlite', 'SqliteRemoval', () => {
  async function open() {
    const { dataSource, database } = await openSqlite(':memory:', {});
    const queue = new WriteQueue(database);
    const removal = new SqliteRemoval(database, queue);
    const countOf = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    return { dataSource, database, removal, countOf, tasks: new SqliteTaskRepository(database, queue, removal, 1_000) };
  }

  it('finishes what a process left that died in the middle of a removal', async () => {
    const { dataSource, database, removal, countOf, tasks } = await open();
    const scope = newScope();
    for (const id of ['a', 'b', 'kept']) {
      await tasks.commit(scope, creation(id, { memos: new Map([['step', 1]]) }), 0);
      await tasks.commit(
        scope,
        growth(
          id,
          1,
          Array.from({ length: 30 }, () => 'x'),
        ),
        1,
      );
    }
    database.exec("INSERT INTO a2a_deleted_task SELECT no FROM a2a_task WHERE id <> 'kept'; DELETE FROM a2a_task WHERE id <> 'kept'");
    const steps: number[] = [];
    do steps.push(await removal.finish(20));
    while (steps.at(-1) === 20);
    expect(steps).toEqual([20, 20, 20, 4]);
    expect([countOf('a2a_event'), countOf('a2a_memo'), countOf('a2a_deleted_task')]).toEqual([31, 1, 0]);
    await expect(tasks.find(scope, 'kept')).resolves.toMatchObject({ head: { version: 31 } });
    await dataSource.destroy();
  });

  it('leaves no row of a deleted task in any table [SECC-60]', async () => {
    const { dataSource, database, countOf, tasks } = await open();
    const scope = newScope();
    await tasks.commit(scope, creation('t', { memos: new Map([['step', 1]]), receipt: { messageId: 'm', digest: 'd' } }), 0);
    await tasks.commit(
      scope,
      growth(
        't',
        1,
        Array.from({ length: 2_500 }, () => 'x'),
      ),
      1,
    );
    await tasks.delete(scope, ['t']);
    await tasks.deleteReceipts(scope, 10, ['m']);
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'a2a%'").pluck().all() as string[];
    expect(tables.length).toBeGreaterThan(8);
    expect(tables.filter((table) => table !== 'a2a_migration' && countOf(table) !== 0)).toEqual([]);
    await dataSource.destroy();
  });
});
