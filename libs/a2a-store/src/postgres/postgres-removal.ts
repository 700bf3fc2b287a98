import { type EndedTask } from '@a2a/a2a-core';
import { type ScopeKey } from '../encoded-change.js';
import { type EndedRow, toEndedTask } from '../rows.js';
import { type PlaceRow } from '../scopes-of-owner.js';
import { type PostgresConnection } from './postgres.connection.js';
import {
  DELETE_ANY_RECEIPTS,
  DELETE_EMPTY_TALLY,
  DELETE_EVENTS,
  DELETE_RECEIPTS_OF,
  DELETE_REST,
  DELETE_TASKS,
  FIND_ENDED,
  FIND_NOTED,
  FIND_SCOPES,
} from './removal-statements.js';

/** Events of one statement, so that none runs long. */
const AT_ONCE = 5_000;

/**
 * Takes tasks and receipts out of PostgreSQL.
 *
 * A task is gone with its row. Its number goes into a2a_deleted_task until its events, snapshot and memos are gone too, so that a process
 * that dies in between leaves nothing for good. Every statement may run twice; a count can be too low when an answer was lost.
 */
export class PostgresRemoval {
  constructor(private readonly connection: PostgresConnection) {}

  async findEnded(beforeMs: number, limit: number, after?: EndedTask): Promise<EndedTask[]> {
    const values = [beforeMs, after?.endedAtMs ?? Number.MIN_SAFE_INTEGER, after?.place ?? 0, limit];
    return (await this.connection.runRepeatable<EndedRow>(FIND_ENDED, values)).map(toEndedTask);
  }

  async deleteTasks({ agent, tenant, owner }: ScopeKey, keys: readonly string[]): Promise<number> {
    const rows = await this.connection.runRepeatable<{ no: number }>(DELETE_TASKS, [keys]);
    if (rows.length === 0) return 0;
    await this.connection.runRepeatable(DELETE_EMPTY_TALLY, [agent, tenant, owner]);
    const numbers = rows.map(({ no }) => no);
    while ((await this.#deleteEvents(numbers, AT_ONCE)) === AT_ONCE);
    await this.connection.runRepeatable(DELETE_REST, [numbers]);
    return numbers.length;
  }

  /** Goes on with what an earlier process left. @returns how many rows, at most `limit` */
  async finish(limit: number): Promise<number> {
    const noted = await this.connection.runRepeatable<{ no: number }>(FIND_NOTED, [limit]);
    if (noted.length === 0) return 0;
    const numbers = noted.map(({ no }) => no);
    const events = await this.#deleteEvents(numbers, limit);
    if (events === limit) return limit;
    await this.connection.runRepeatable(DELETE_REST, [numbers]);
    return noted.length;
  }

  async deleteReceipts({ agent, tenant, owner }: ScopeKey, limit: number, messageIds?: readonly string[]): Promise<number> {
    const statement = messageIds ? DELETE_RECEIPTS_OF : DELETE_ANY_RECEIPTS;
    const values = [agent, tenant, owner, limit, ...(messageIds ? [messageIds] : [])];
    const [row] = await this.connection.runRepeatable<{ receipts: number }>(statement, values);
    return row?.receipts ?? 0;
  }

  async findScopes(owner: string): Promise<ScopeKey[]> {
    const found = await Promise.all(FIND_SCOPES.map((statement) => this.connection.runRepeatable<PlaceRow>(statement, [owner])));
    return [...new Map(found.flat().map(({ agent, tenant }) => [JSON.stringify([agent, tenant]), { agent, tenant, owner }])).values()];
  }

  async #deleteEvents(numbers: readonly number[], limit: number): Promise<number> {
    const [row] = await this.connection.runRepeatable<{ events: number }>(DELETE_EVENTS, [numbers, limit]);
    return row?.events ?? 0;
  }
}
