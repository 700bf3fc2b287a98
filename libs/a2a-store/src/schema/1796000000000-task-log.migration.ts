import { type MigrationInterface, type QueryRunner, Table, TableIndex, type TableColumnOptions } from 'typeorm';
import { columnTypes, dialectOf } from './columns.js';

/**
 * A small row for each task and a log beside it.
 *
 * - Whoever asks is part of every key that a request can name. `a2a_task.key` is agent, tenant, owner and id in one text: a lookup by it can
 *   use one index only, where a database that has seen few rows would pick any of those that begin with agent, tenant and owner.
 * - What only a found task leads to is keyed by the task's number, which never leaves the store, so that an event costs a few bytes of key.
 * - No foreign keys on the log: a commit writes task and log in one transaction, and a check of each event would cost more than it guards.
 */
export class TaskLog1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const dialect = dialectOf(runner);
    const { serial, collation } = columnTypes(dialect);
    const key = (name: string): TableColumnOptions => ({ name, type: 'text', collation });
    const keyPart = (name: string): TableColumnOptions => ({ ...key(name), isPrimary: true });
    const number = (name: string): TableColumnOptions => ({ name, type: 'integer' });
    const bigNumber = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const text = (name: string): TableColumnOptions => ({ name, type: 'text' });
    const optional = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
    const create = (name: string, columns: TableColumnOptions[]) => runner.createTable(new Table({ name, columns }));
    const index = (table: string, name: string, columnNames: string[], more: { isUnique?: boolean; where?: string } = {}) =>
      runner.createIndex(table, new TableIndex({ name, columnNames, ...more }));

    await create('a2a_task', [
      { name: 'no', type: serial, isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
      key('key'),
      key('agent'),
      key('tenant'),
      key('owner'),
      key('id'),
      key('context_id'),
      number('state'),
      number('version'),
      bigNumber('status_at'),
      optional(key('runner')),
      number('snapshot_version'),
      bigNumber('created_at'),
    ]);
    await index('a2a_task', 'a2a_task_key', ['key'], { isUnique: true });
    await index('a2a_task', 'a2a_task_by_status', ['agent', 'tenant', 'owner', 'status_at', 'id']);
    await index('a2a_task', 'a2a_task_by_state', ['agent', 'tenant', 'owner', 'state', 'status_at', 'id']);
    await index('a2a_task', 'a2a_task_by_context', ['agent', 'tenant', 'owner', 'context_id', 'status_at', 'id']);
    await index('a2a_task', 'a2a_task_unfinished', ['runner'], { where: 'state < 3' });

    const taskNo = { ...bigNumber('task_no'), isPrimary: true };
    await create('a2a_event', [taskNo, { ...number('version'), isPrimary: true }, text('payload')]);
    await create('a2a_snapshot', [taskNo, number('version'), text('payload')]);
    await create('a2a_memo', [taskNo, keyPart('step'), text('value')]);

    const scope = [keyPart('agent'), keyPart('tenant'), keyPart('owner')];
    await create('a2a_owner_tally', [...scope, bigNumber('tasks')]);
    await create('a2a_state', [...scope, keyPart('namespace'), keyPart('name'), text('value')]);
    await create('a2a_message', [
      ...scope,
      keyPart('message_id'),
      text('digest'),
      optional(key('task_id')),
      optional(text('reply')),
      bigNumber('received_at'),
    ]);
    await index('a2a_message', 'a2a_message_by_age', ['received_at']);
    await create('a2a_runner', [keyPart('id'), bigNumber('alive_until')]);

    if (dialect === 'postgres') await tune(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['a2a_runner', 'a2a_message', 'a2a_state', 'a2a_owner_tally', 'a2a_memo', 'a2a_snapshot', 'a2a_event', 'a2a_task'];
    for (const table of tables) await runner.dropTable(table);
  }
}

async function tune(runner: QueryRunner): Promise<void> {
  // A row changes with every event: room on its page lets most changes stay there, without touching an index.
  await runner.query('ALTER TABLE a2a_task SET (fillfactor = 60)');
  // One owner may have nearly all tasks. Told so, the server does not take an index that only narrows to the owner where another narrows
  // further. (Until it has statistics it finds them equal, and takes the one made last: that is why by_context comes last.)
  for (const column of ['agent', 'tenant', 'owner']) await runner.query(`ALTER TABLE a2a_task ALTER COLUMN ${column} SET (n_distinct = 1)`);
}
