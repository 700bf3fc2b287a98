import { scopesOfOwner } from '../scopes-of-owner.js';
import { type Statement } from './postgres.connection.js';

const SCOPE = 'agent = $1 AND tenant = $2 AND owner = $3';

export const FIND_ENDED: Statement = {
  name: 'a2a_find_ended',
  text: `SELECT agent, tenant, owner, id, no, status_at FROM a2a_task
         WHERE state IN (3, 4, 5, 7) AND status_at < $1 AND (status_at, no) > ($2, $3) ORDER BY status_at, no LIMIT $4`,
};

/**
 * Removes rows of tasks and notes their numbers. Rows are locked in the order in which commits lock them, so that the two never wait for
 * each other in a circle; a commit that waited finds its row gone.
 */
export const DELETE_TASKS: Statement = {
  name: 'a2a_delete_tasks',
  text: `
WITH doomed AS MATERIALIZED (
  SELECT t.no FROM unnest($1::text[]) AS w (key) JOIN a2a_task t USING (key) ORDER BY t.no FOR UPDATE OF t
), gone AS (
  DELETE FROM a2a_task t USING doomed d WHERE t.no = d.no RETURNING t.no, t.agent, t.tenant, t.owner
), noted AS (
  INSERT INTO a2a_deleted_task (no) SELECT no FROM gone ON CONFLICT DO NOTHING
), counted AS (
  UPDATE a2a_owner_tally c SET tasks = c.tasks - g.tasks
  FROM (SELECT agent, tenant, owner, count(*) AS tasks FROM gone GROUP BY agent, tenant, owner) g
  WHERE c.agent = g.agent AND c.tenant = g.tenant AND c.owner = g.owner
)
SELECT no FROM gone`,
};

export const DELETE_EMPTY_TALLY: Statement = {
  name: 'a2a_delete_empty_tally',
  text: `DELETE FROM a2a_owner_tally WHERE ${SCOPE} AND tasks <= 0`,
};

/** At most $2 events of the tasks. */
export const DELETE_EVENTS: Statement = {
  name: 'a2a_delete_events',
  text: `
WITH piece AS MATERIALIZED (
  SELECT e.task_no, e.version FROM unnest($1::bigint[]) AS d (no) JOIN a2a_event e ON e.task_no = d.no LIMIT $2
), gone AS (
  DELETE FROM a2a_event e USING piece p WHERE e.task_no = p.task_no AND e.version = p.version RETURNING 1
)
SELECT count(*) AS events FROM gone`,
};

/** All that is left of tasks without events. */
export const DELETE_REST: Statement = {
  name: 'a2a_delete_rest',
  text: `
WITH snapshots AS (DELETE FROM a2a_snapshot WHERE task_no = ANY ($1::bigint[])),
  memos AS (DELETE FROM a2a_memo WHERE task_no = ANY ($1::bigint[]))
DELETE FROM a2a_deleted_task WHERE no = ANY ($1::bigint[])`,
};

export const FIND_NOTED: Statement = { name: 'a2a_find_noted', text: 'SELECT no FROM a2a_deleted_task ORDER BY no LIMIT $1' };

const DELETE_RECEIPTS = (where: string): string => `
WITH picked AS MATERIALIZED (SELECT message_id FROM a2a_message WHERE ${SCOPE} ${where} LIMIT $4), gone AS (
  DELETE FROM a2a_message m USING picked s
  WHERE m.agent = $1 AND m.tenant = $2 AND m.owner = $3 AND m.message_id = s.message_id RETURNING 1
)
SELECT count(*) AS receipts FROM gone`;

export const DELETE_ANY_RECEIPTS: Statement = { name: 'a2a_delete_any_receipts', text: DELETE_RECEIPTS('') };
export const DELETE_RECEIPTS_OF: Statement = {
  name: 'a2a_delete_receipts_of',
  text: DELETE_RECEIPTS('AND message_id = ANY ($5::text[])'),
};

export const FIND_SCOPES: readonly Statement[] = ['a2a_owner_tally', 'a2a_message'].map((table) => ({
  name: `a2a_scopes_of_${table}`,
  text: scopesOfOwner(table, '$1'),
}));
