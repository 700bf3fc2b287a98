import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';

/**
 * What removal needs: when each value was written, which tasks ended when, and the tasks whose row is gone while the rest of them is still
 * being removed.
 *
 * Values that are there already count as written now.
 */
export class Removal1796200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE a2a_state ADD COLUMN written_at bigint NOT NULL DEFAULT 0');
    await runner.query(`UPDATE a2a_state SET written_at = ${Date.now()}`);
    await runner.createIndex('a2a_state', new TableIndex({ name: 'a2a_state_by_age', columnNames: ['written_at'] }));
    const ended = { name: 'a2a_task_ended', columnNames: ['status_at', 'no'], where: 'state IN (3, 4, 5, 7)' };
    await runner.createIndex('a2a_task', new TableIndex(ended));
    await runner.createTable(new Table({ name: 'a2a_deleted_task', columns: [{ name: 'no', type: 'bigint', isPrimary: true }] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('a2a_deleted_task');
    await runner.dropIndex('a2a_task', 'a2a_task_ended');
    await runner.dropIndex('a2a_state', 'a2a_state_by_age');
    await runner.query('ALTER TABLE a2a_state DROP COLUMN written_at');
  }
}
