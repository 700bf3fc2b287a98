import { type EncodedChange } from '../encoded-change.js';
import { type Statement } from './postgres.connection.js';

/** What became of a change. `repeated`: its message was accepted before. `stale`: another writer was first. */
export type CommitOutcome = 'accepted' | 'repeated' | 'stale';

/** A row of the answer. */
export interface CommitRow {
  readonly ord: number;
  readonly outcome: CommitOutcome;
}

/**
 * Commits changes of different tasks in one statement, hence one round trip and one wait for the disk. Each change is accepted whole or
 * leaves nothing; a refused one does not touch the others.
 *
 * - `held` locks the rows of growing tasks, in order, so that two of these statements never wait for each other in a circle; a row that a
 *   rival moved on while we waited is read anew and drops out.
 * - `created` and `received` can meet a rival whose row this statement could not see yet. That fails the statement as a whole (unique key;
 *   null in `digest`), it is undone and sent again, and then sees the rival.
 */
export const COMMIT: Statement = {
  name: 'a2a_commit',
  text: `
WITH input AS MATERIALIZED (
  SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[],
                       $10::bigint[], $11::text[], $12::text[], $13::text[], $14::text[])
    AS i (ord, agent, tenant, owner, id, context_id, expected, version, state, status_at, runner, message_id, digest, snapshot)
), moment AS MATERIALIZED (
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
), repeated AS MATERIALIZED (
  SELECT i.ord FROM input i JOIN a2a_message m USING (agent, tenant, owner, message_id), moment
  WHERE m.received_at > moment.now - $21::bigint
), held AS MATERIALIZED (
  SELECT i.ord, t.no FROM input i JOIN a2a_task t USING (agent, tenant, owner, id)
  WHERE i.expected > 0 AND t.version = i.expected AND NOT EXISTS (SELECT FROM repeated r WHERE r.ord = i.ord)
  ORDER BY t.no FOR UPDATE OF t
), moved AS (
  UPDATE a2a_task t SET state = i.state, version = i.version, status_at = i.status_at, runner = i.runner,
    snapshot_version = CASE WHEN i.snapshot IS NULL THEN t.snapshot_version ELSE i.version END
  FROM held h JOIN input i USING (ord) WHERE t.no = h.no
  RETURNING h.ord, t.no
), created AS (
  INSERT INTO a2a_task (agent, tenant, owner, id, context_id, state, version, status_at, runner, snapshot_version, created_at)
  SELECT i.agent, i.tenant, i.owner, i.id, i.context_id, i.state, i.version, i.status_at, i.runner,
    CASE WHEN i.snapshot IS NULL THEN 0 ELSE i.version END, moment.now
  FROM input i, moment
  WHERE i.expected = 0 AND NOT EXISTS (SELECT FROM repeated r WHERE r.ord = i.ord)
    AND NOT EXISTS (SELECT FROM a2a_task t WHERE (t.agent, t.tenant, t.owner, t.id) = (i.agent, i.tenant, i.owner, i.id))
  ORDER BY i.agent, i.tenant, i.owner, i.id
  RETURNING no, agent, tenant, owner, id
), accepted AS MATERIALIZED (
  SELECT ord, no FROM moved UNION ALL SELECT i.ord, c.no FROM created c JOIN input i USING (agent, tenant, owner, id)
), received AS (
  INSERT INTO a2a_message AS m (agent, tenant, owner, message_id, digest, task_id, reply, received_at)
  SELECT i.agent, i.tenant, i.owner, i.message_id, i.digest, i.id, NULL, moment.now
  FROM accepted a JOIN input i USING (ord), moment WHERE i.message_id IS NOT NULL
  ORDER BY i.agent, i.tenant, i.owner, i.message_id
  ON CONFLICT (agent, tenant, owner, message_id) DO UPDATE SET
    digest = CASE WHEN m.received_at <= EXCLUDED.received_at - $21::bigint THEN EXCLUDED.digest END,
    task_id = EXCLUDED.task_id, reply = NULL, received_at = EXCLUDED.received_at
), logged AS (
  INSERT INTO a2a_event (task_no, version, payload)
  SELECT a.no, e.version, e.payload FROM unnest($15::int[], $16::int[], $17::text[]) AS e (ord, version, payload) JOIN accepted a USING (ord)
), kept AS (
  INSERT INTO a2a_memo (task_no, step, value)
  SELECT a.no, k.step, k.value FROM unnest($18::int[], $19::text[], $20::text[]) AS k (ord, step, value) JOIN accepted a USING (ord)
  ON CONFLICT (task_no, step) DO UPDATE SET value = EXCLUDED.value
), folded AS (
  INSERT INTO a2a_snapshot (task_no, version, payload)
  SELECT a.no, i.version, i.snapshot FROM accepted a JOIN input i USING (ord) WHERE i.snapshot IS NOT NULL
  ON CONFLICT (task_no) DO UPDATE SET version = EXCLUDED.version, payload = EXCLUDED.payload
), counted AS (
  INSERT INTO a2a_owner_tally AS c (agent, tenant, owner, tasks)
  SELECT agent, tenant, owner, count(*) FROM created GROUP BY agent, tenant, owner ORDER BY agent, tenant, owner
  ON CONFLICT (agent, tenant, owner) DO UPDATE SET tasks = c.tasks + EXCLUDED.tasks
)
SELECT i.ord, CASE WHEN a.ord IS NOT NULL THEN 'accepted' WHEN r.ord IS NOT NULL THEN 'repeated' ELSE 'stale' END AS outcome
FROM input i LEFT JOIN accepted a USING (ord) LEFT JOIN repeated r USING (ord)`,
};

/** The values of COMMIT: columns of the changes, of their events and of their memos. */
export function commitValues(changes: readonly EncodedChange[], receiptTtlMs: number): unknown[] {
  const column = <T>(pick: (change: EncodedChange, ord: number) => T): T[] => changes.map(pick);
  const events = changes.flatMap((change, ord) =>
    change.events.map((payload, index) => ({ ord, version: change.expectedVersion + index + 1, payload })),
  );
  const memos = changes.flatMap((change, ord) => change.memos.map((memo) => ({ ord, ...memo })));
  return [
    column((_, ord) => ord),
    column(({ agent }) => agent),
    column(({ tenant }) => tenant),
    column(({ owner }) => owner),
    column(({ id }) => id),
    column(({ contextId }) => contextId),
    column(({ expectedVersion }) => expectedVersion),
    column(({ version }) => version),
    column(({ state }) => state),
    column(({ statusAtMs }) => statusAtMs),
    column(({ runner }) => runner),
    column(({ messageId }) => messageId),
    column(({ digest }) => digest),
    column(({ snapshot }) => snapshot),
    events.map(({ ord }) => ord),
    events.map(({ version }) => version),
    events.map(({ payload }) => payload),
    memos.map(({ ord }) => ord),
    memos.map(({ step }) => step),
    memos.map(({ value }) => value),
    receiptTtlMs,
  ];
}
