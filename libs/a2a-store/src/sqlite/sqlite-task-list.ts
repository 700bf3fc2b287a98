import { type TaskPage, type TaskQuery } from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { type ScopeKey } from '../encoded-change.js';
import { formatKey } from '../key-text.js';
import { type HeadRow, toHead } from '../rows.js';

type Bound = Record<string, string | number | null>;

const FILTERS = {
  contextId: 'context_id = @contextId',
  state: 'state = @state',
  statusAtOrAfterMs: 'status_at >= @statusAtOrAfterMs',
} as const;
const SCOPE = 'agent = @agent AND tenant = @tenant AND owner = @owner';

/**
 * Pages of tasks, read backwards along an index from the place the last page ended: the cost is that of the page.
 *
 * The total of all tasks is counted up as they are made. With a filter it is a count over the index, which costs what matches.
 */
export class SqliteTaskList {
  readonly #pages = new Map<string, Database.Statement<[Bound], HeadRow>>();
  readonly #counts = new Map<string, Database.Statement<[Bound], { total: number }>>();

  constructor(private readonly database: Database.Database) {}

  page(scope: ScopeKey, { contextId, state, statusAtOrAfterMs, after, limit }: TaskQuery): TaskPage {
    const bound: Bound = { ...scope, limit: limit + 1 };
    if (contextId !== undefined) bound.contextId = formatKey(contextId);
    if (state !== undefined) bound.state = state;
    if (statusAtOrAfterMs !== undefined) bound.statusAtOrAfterMs = statusAtOrAfterMs;
    const filters = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter((name) => name in bound).map((name) => FILTERS[name]);
    const total = this.#total(bound, filters);
    if (after) Object.assign(bound, { afterStatusAt: after.statusAtMs, afterId: formatKey(after.taskId) });
    const rows = this.#page(bound, filters, after !== undefined);
    return { heads: rows.slice(0, limit).map(toHead), total, hasMore: rows.length > limit };
  }

  #page(bound: Bound, filters: readonly string[], isLater: boolean): HeadRow[] {
    const where = [SCOPE, ...filters, ...(isLater ? ['(status_at, id) < (@afterStatusAt, @afterId)'] : [])].join(' AND ');
    const sql = `SELECT id, context_id, state, version, status_at FROM a2a_task INDEXED BY ${indexFor(bound)}
      WHERE ${where} ORDER BY status_at DESC, id DESC LIMIT @limit`;
    return prepared(this.database, this.#pages, sql).all(bound);
  }

  #total(bound: Bound, filters: readonly string[]): number {
    const sql =
      filters.length === 0
        ? `SELECT tasks AS total FROM a2a_owner_tally WHERE ${SCOPE}`
        : `SELECT count(*) AS total FROM a2a_task INDEXED BY ${indexFor(bound)} WHERE ${[SCOPE, ...filters].join(' AND ')}`;
    return prepared(this.database, this.#counts, sql).get(bound)?.total ?? 0;
  }
}

/** Named, because SQLite would weigh them by statistics that a young database does not have. */
function indexFor(bound: Bound): string {
  if ('contextId' in bound) return 'a2a_task_by_context';
  return 'state' in bound ? 'a2a_task_by_state' : 'a2a_task_by_status';
}

function prepared<Row>(
  database: Database.Database,
  statements: Map<string, Database.Statement<[Bound], Row>>,
  sql: string,
): Database.Statement<[Bound], Row> {
  const statement = statements.get(sql) ?? database.prepare<[Bound], Row>(sql);
  statements.set(sql, statement);
  return statement;
}
