import type Database from 'better-sqlite3';
import { type DataSource } from 'typeorm';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { openSqlite } from './sqlite.connection.js';
import { WriteQueue } from './write-queue.js';

describeStore('sqlite', 'WriteQueue', () => {
  let dataSource: DataSource;
  let database: Database.Database;
  let queue: WriteQueue;
  beforeEach(async () => {
    ({ dataSource, database } = await openSqlite(':memory:', {}));
    database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER CHECK (n < 100))');
    queue = new WriteQueue(database);
  });
  afterEach(() => dataSource.destroy());

  const add = (n: number) => queue.run(() => database.prepare('INSERT INTO t (n) VALUES (?)').run(n).changes);
  const stored = () => database.prepare('SELECT n FROM t ORDER BY id').pluck().all();
  const statusesOf = async (writes: readonly Promise<unknown>[]) => (await Promise.allSettled(writes)).map(({ status }) => status);

  it('commits all writes of one turn of the event loop in one transaction, in order', async () => {
    const writes = [1, 2, 3].map((n) => add(n));
    const seen = queue.run(() => [database.inTransaction, ...stored()]);
    expect(stored()).toEqual([]);
    await Promise.all(writes);
    await expect(seen).resolves.toEqual([true, 1, 2, 3]);
    expect(stored()).toEqual([1, 2, 3]);
  });

  it('refuses a write that throws before it writes, alone', async () => {
    const refused = queue.run(() => {
      throw new TypeError('no');
    });
    await expect(statusesOf([add(1), refused, add(2)])).resolves.toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(refused).rejects.toThrow(TypeError);
    expect(stored()).toEqual([1, 2]);
  });

  it('takes back all that a write did which the database fails, and keeps the others', async () => {
    const half = queue.run(() => {
      database.prepare('INSERT INTO t (n) VALUES (50)').run();
      database.prepare('INSERT INTO t (n) VALUES (500)').run();
    });
    await expect(statusesOf([add(1), half, add(2)])).resolves.toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(half).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' });
    expect(stored()).toEqual([1, 2]);
  });

  it('changes two rows with each event, however long the log is', async () => {
    const { SqliteTaskRepository } = await import('./sqlite-task.repository.js');
    const { SqliteRemoval } = await import('./sqlite-removal.js');
    const { creation, growth, newScope } = await import('../../../../test/contracts/task-changes.js');
    const tasks = new SqliteTaskRepository(database, queue, new SqliteRemoval(database, queue), 1_000);
    const changed = () => database.prepare('SELECT total_changes()').pluck().get() as number;
    const scope = newScope();
    await tasks.commit(scope, creation('t'), 0);
    for (let version = 1; version <= 500; version++) {
      const before = changed();
      await tasks.commit(scope, growth('t', version, ['x']), version);
      expect(changed() - before).toBe(2);
    }
  });

  it('writes what is queued when it is closed, and refuses what comes later', async () => {
    const write = add(1);
    queue.close();
    await expect(write).resolves.toBe(1);
    await expect(add(2)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(stored()).toEqual([1]);
  });

  it('goes on when a group is larger than what one transaction takes', async () => {
    await Promise.all(Array.from({ length: 1_300 }, (_, index) => add(index % 100)));
    expect(stored()).toHaveLength(1_300);
  });
});
