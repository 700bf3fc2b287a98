import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { columnTypes } from './columns.js';
import { pushEntities } from './push-entities.js';

/**
 * The tables as they are after all migrations, for TypeORM's comparison with the database (the drift check in the specs). The store's
 * own statements are plain SQL.
 */
export function storeEntities(dialect: 'better-sqlite3' | 'postgres'): EntitySchema[] {
  const { serial, collation } = columnTypes(dialect);
  const key: EntitySchemaColumnOptions = { type: 'text', collation };
  const keyPart: EntitySchemaColumnOptions = { ...key, primary: true };
  const number: EntitySchemaColumnOptions = { type: 'integer' };
  const bigNumber: EntitySchemaColumnOptions = { type: 'bigint' };
  const text: EntitySchemaColumnOptions = { type: 'text' };
  const optional = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, nullable: true });
  const taskNo: EntitySchemaColumnOptions = { ...bigNumber, primary: true };
  const scope = { agent: keyPart, tenant: keyPart, owner: keyPart };
  const table = (name: string, columns: Record<string, EntitySchemaColumnOptions>) => new EntitySchema({ name, tableName: name, columns });

  return [
    new EntitySchema({
      name: 'a2a_task',
      tableName: 'a2a_task',
      columns: {
        no: { type: serial, primary: true, generated: 'increment' },
        key,
        agent: key,
        tenant: key,
        owner: key,
        id: key,
        context_id: key,
        state: number,
        version: number,
        status_at: bigNumber,
        runner: optional(key),
        snapshot_version: number,
        created_at: bigNumber,
      },
      indices: [
        { name: 'a2a_task_key', columns: ['key'], unique: true },
        { name: 'a2a_task_by_status', columns: ['agent', 'tenant', 'owner', 'status_at', 'id'] },
        { name: 'a2a_task_by_context', columns: ['agent', 'tenant', 'owner', 'context_id', 'status_at', 'id'] },
        { name: 'a2a_task_by_state', columns: ['agent', 'tenant', 'owner', 'state', 'status_at', 'id'] },
        { name: 'a2a_task_unfinished', columns: ['runner'], where: 'state < 3' },
        { name: 'a2a_task_ended', columns: ['status_at', 'no'], where: 'state IN (3, 4, 5, 7)' },
      ],
    }),
    table('a2a_event', { task_no: taskNo, version: { ...number, primary: true }, payload: text }),
    table('a2a_snapshot', { task_no: taskNo, version: number, payload: text }),
    table('a2a_memo', { task_no: taskNo, step: keyPart, value: text }),
    table('a2a_deleted_task', { no: { ...bigNumber, primary: true } }),
    table('a2a_owner_tally', { ...scope, tasks: bigNumber }),
    new EntitySchema({
      name: 'a2a_state',
      tableName: 'a2a_state',
      columns: { ...scope, namespace: keyPart, name: keyPart, value: text, written_at: { ...bigNumber, default: 0 } },
      indices: [{ name: 'a2a_state_by_age', columns: ['written_at'] }],
    }),
    new EntitySchema({
      name: 'a2a_message',
      tableName: 'a2a_message',
      columns: {
        ...scope,
        message_id: keyPart,
        digest: text,
        task_id: optional(key),
        reply: optional(text),
        received_at: bigNumber,
      },
      indices: [{ name: 'a2a_message_by_age', columns: ['received_at'] }],
    }),
    table('a2a_runner', { id: keyPart, alive_until: bigNumber }),
    ...pushEntities(dialect),
  ];
}
