import { type TaskQuery } from '@a2a/a2a-core';
import { type Statement } from './postgres.connection.js';

const SCOPE = 'agent = $1 AND tenant = $2 AND owner = $3';
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Rows of one task in order: its head, its snapshot, its events. One statement, so all of one moment. */
export const FIND: Statement = {
  name: 'a2a_find',
  text: `
WITH task AS MATERIALIZED (
  SELECT t.no, t.id, t.context_id, t.state, t.version, t.status_at, w.known,
    CASE WHEN t.snapshot_version > w.known THEN t.snapshot_version END AS snapshot_version
  FROM unnest($1::text[], $2::int[]) AS w (key, known) JOIN a2a_task t USING (key)
)
SELECT no, 'head' AS kind, version, id, context_id, state, status_at, NULL AS payload, 0 AS place FROM task
UNION ALL
SELECT t.no, 'snapshot', s.version, NULL, NULL, NULL, NULL, s.payload, 1
FROM task t JOIN a2a_snapshot s ON s.task_no = t.no WHERE t.snapshot_version IS NOT NULL
UNION ALL
SELECT t.no, 'event', e.version, NULL, NULL, NULL, NULL, e.payload, 2
FROM task t JOIN a2a_event e ON e.task_no = t.no AND e.version > coalesce(t.snapshot_version, t.known)
ORDER BY no, place, version`,
};

export const READ_EVENTS: Statement = {
  name: 'a2a_read_events',
  text: `SELECT version, payload FROM a2a_event WHERE task_no = (SELECT no FROM a2a_task WHERE key = $1) AND version > $2 ORDER BY version LIMIT $3`,
};

export const FIND_MEMO: Statement = {
  name: 'a2a_find_memo',
  text: `SELECT value FROM a2a_memo WHERE task_no = (SELECT no FROM a2a_task WHERE key = $1) AND step = $2`,
};

export const FIND_MESSAGE: Statement = {
  name: 'a2a_find_message',
  text: `SELECT digest, task_id, reply FROM a2a_message WHERE ${SCOPE} AND message_id = $4 AND received_at > ${NOW} - $5::bigint`,
};

/**
 * Answers a row when the reply was kept; none when the message was accepted before. With $8 the very same reply counts as kept, so that it
 * can be sent again when the first answer was lost.
 */
export const SAVE_REPLY: Statement = {
  name: 'a2a_save_reply',
  text: `
INSERT INTO a2a_message AS m (agent, tenant, owner, message_id, digest, task_id, reply, received_at)
VALUES ($1, $2, $3, $4, $5, NULL, $6, ${NOW})
ON CONFLICT (agent, tenant, owner, message_id) DO UPDATE
  SET digest = EXCLUDED.digest, task_id = NULL, reply = EXCLUDED.reply, received_at = EXCLUDED.received_at
  WHERE m.received_at <= EXCLUDED.received_at - $7::bigint
    OR ($8::boolean AND m.digest = EXCLUDED.digest AND m.reply = EXCLUDED.reply)
RETURNING 1 AS kept`,
};

export const FORGET_MESSAGES: Statement = {
  name: 'a2a_forget_messages',
  text: `
WITH expired AS (
  SELECT agent, tenant, owner, message_id FROM a2a_message WHERE received_at <= ${NOW} - $1::bigint LIMIT $2 FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM a2a_message m USING expired e
  WHERE (m.agent, m.tenant, m.owner, m.message_id) = (e.agent, e.tenant, e.owner, e.message_id) RETURNING 1
), dead AS (
  DELETE FROM a2a_runner WHERE alive_until < ${NOW} - 86400000
)
SELECT count(*) AS forgotten FROM gone`,
};

export const KEEP_ALIVE: Statement = {
  name: 'a2a_keep_alive',
  text: `INSERT INTO a2a_runner (id, alive_until) VALUES ($1, ${NOW} + $2::bigint) ON CONFLICT (id) DO UPDATE SET alive_until = EXCLUDED.alive_until`,
};

export const FIND_ABANDONED: Statement = {
  name: 'a2a_find_abandoned',
  text: `
SELECT t.agent, t.tenant, t.owner, t.id FROM a2a_task t
WHERE t.state < 3 AND NOT EXISTS (SELECT FROM a2a_runner r WHERE r.id = t.runner AND r.alive_until > ${NOW})
LIMIT $1`,
};

/**
 * A page and its total in one round trip. The page is read backwards along an index from where the last one ended. The total of all tasks
 * is counted up as they are made; with a filter it is a count over the index, which costs what matches (and asks for their order, so that
 * it is the index of the page).
 *
 * @returns the statement for the members that `query` has; its values are the scope, then those of `listValues`
 */
export function listStatement(query: TaskQuery): Statement {
  const filters: string[] = [];
  let place = 4;
  if (query.contextId !== undefined) filters.push(`context_id = $${place++}`);
  if (query.state !== undefined) filters.push(`state = $${place++}`);
  if (query.statusAtOrAfterMs !== undefined) filters.push(`status_at >= $${place++}`);
  const where = [SCOPE, ...filters].join(' AND ');
  const behind = query.after ? ` AND (status_at, id) < ($${place++}, $${place++})` : '';
  const total =
    filters.length === 0
      ? `SELECT tasks FROM a2a_owner_tally WHERE ${SCOPE}`
      : `SELECT count(*) FROM (SELECT FROM a2a_task WHERE ${where} ORDER BY status_at, id) matches`;
  const shape = [query.contextId, query.state, query.statusAtOrAfterMs, query.after]
    .map((member) => (member === undefined ? 0 : 1))
    .join('');
  return {
    name: `a2a_list_${shape}`,
    costVaries: true,
    text: `
SELECT n.total, t.* FROM (SELECT coalesce((${total}), 0) AS total) n LEFT JOIN LATERAL (
  SELECT id, context_id, state, version, status_at FROM a2a_task WHERE ${where}${behind} ORDER BY status_at DESC, id DESC LIMIT $${place}
) t ON true ORDER BY status_at DESC, id DESC`,
  };
}
