import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { columnTypes } from './columns.js';

/** The tables of webhooks, as `storeEntities` has the others. */
export function pushEntities(dialect: 'better-sqlite3' | 'postgres'): EntitySchema[] {
  const { serial, collation } = columnTypes(dialect);
  const key: EntitySchemaColumnOptions = { type: 'text', collation };
  const number: EntitySchemaColumnOptions = { type: 'integer' };
  const bigNumber: EntitySchemaColumnOptions = { type: 'bigint' };
  const text: EntitySchemaColumnOptions = { type: 'text' };
  const optional = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, nullable: true });
  return [
    new EntitySchema({
      name: 'a2a_push',
      tableName: 'a2a_push',
      columns: {
        no: { type: serial, primary: true, generated: 'increment' },
        task_no: bigNumber,
        owner_key: key,
        config_id: key,
        url: text,
        scheme: optional(text),
        secrets: text,
        extensions: text,
        cursor: number,
        attempts: number,
        status: number,
        reason: optional(text),
        due_at: optional(bigNumber),
        holder: optional(text),
      },
      foreignKeys: [
        { name: 'a2a_push_task', target: 'a2a_task', columnNames: ['task_no'], referencedColumnNames: ['no'], onDelete: 'CASCADE' },
      ],
      indices: [
        { name: 'a2a_push_key', columns: ['task_no', 'config_id'], unique: true },
        { name: 'a2a_push_by_owner', columns: ['owner_key'], where: 'status = 0' },
        { name: 'a2a_push_due', columns: ['due_at'], where: 'status = 0 AND due_at IS NOT NULL' },
        { name: 'a2a_push_parked', columns: ['no'], where: 'status = 0 AND due_at IS NULL' },
        { name: 'a2a_push_troubled', columns: ['no'], where: 'status = 2 OR attempts > 0' },
      ],
    }),
    new EntitySchema({
      name: 'a2a_push_letter',
      tableName: 'a2a_push_letter',
      columns: {
        push_no: { ...bigNumber, primary: true },
        version: { ...number, primary: true },
        reason: text,
        attempts: number,
        at: bigNumber,
      },
      foreignKeys: [
        { name: 'a2a_push_letter_push', target: 'a2a_push', columnNames: ['push_no'], referencedColumnNames: ['no'], onDelete: 'CASCADE' },
      ],
    }),
  ];
}
