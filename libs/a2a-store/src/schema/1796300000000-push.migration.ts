import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions, TableIndex } from 'typeorm';
import { columnTypes, dialectOf } from './columns.js';

/**
 * Webhooks and how far each has come in its task's log; events that receivers refused.
 *
 * - A row goes with its task. It is written when a webhook is registered, claimed and moved on, never for an event as such.
 * - `due_at` is the end of a claim or of a wait; it is null while there is nothing to do. The indices hold only rows that are looked for.
 */
export class Push1796300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { serial, collation } = columnTypes(dialectOf(runner));
    const key = (name: string): TableColumnOptions => ({ name, type: 'text', collation });
    const number = (name: string): TableColumnOptions => ({ name, type: 'integer' });
    const bigNumber = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const text = (name: string): TableColumnOptions => ({ name, type: 'text' });
    const optional = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });

    await runner.createTable(
      new Table({
        name: 'a2a_push',
        columns: [
          { name: 'no', type: serial, isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
          bigNumber('task_no'),
          key('owner_key'),
          key('config_id'),
          text('url'),
          optional(text('scheme')),
          text('secrets'),
          text('extensions'),
          number('cursor'),
          number('attempts'),
          number('status'),
          optional(text('reason')),
          optional(bigNumber('due_at')),
          optional(text('holder')),
        ],
        foreignKeys: [
          {
            name: 'a2a_push_task',
            columnNames: ['task_no'],
            referencedTableName: 'a2a_task',
            referencedColumnNames: ['no'],
            onDelete: 'CASCADE',
          },
        ],
        indices: [
          { name: 'a2a_push_key', columnNames: ['task_no', 'config_id'], isUnique: true },
          { name: 'a2a_push_by_owner', columnNames: ['owner_key'], where: 'status = 0' },
          { name: 'a2a_push_due', columnNames: ['due_at'], where: 'status = 0 AND due_at IS NOT NULL' },
          { name: 'a2a_push_parked', columnNames: ['no'], where: 'status = 0 AND due_at IS NULL' },
          { name: 'a2a_push_troubled', columnNames: ['no'], where: 'status = 2 OR attempts > 0' },
        ].map((index) => new TableIndex(index)),
      }),
    );
    await runner.createTable(
      new Table({
        name: 'a2a_push_letter',
        columns: [
          { ...bigNumber('push_no'), isPrimary: true },
          { ...number('version'), isPrimary: true },
          text('reason'),
          number('attempts'),
          bigNumber('at'),
        ],
        foreignKeys: [
          {
            name: 'a2a_push_letter_push',
            columnNames: ['push_no'],
            referencedTableName: 'a2a_push',
            referencedColumnNames: ['no'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('a2a_push_letter');
    await runner.dropTable('a2a_push');
  }
}
