import { type Statement } from './postgres.connection.js';

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
/** Of the webhook named by $1 (a task's key) and $2 (a config's id). */
const PLACE = 'task_no = (SELECT no FROM a2a_task WHERE key = $1) AND config_id = $2';
/** The same, as long as the claim $3 holds. */
const HELD = `${PLACE} AND holder = $3`;
const ROW = 'config_id, url, scheme, secrets, extensions, cursor, attempts, status, reason';
const REF = 'p.no, p.config_id, t.agent, t.tenant, t.owner, t.id';

/** Every statement here may run twice: the second time it finds what the first has done. */
const statement = (name: string, text: string): Statement => ({ name: `a2a_push_${name}`, text });

/** @returns one row with the verdict. $8 is the cursor of a new config, $9 its status, $10 and $11 the limits of task and owner. */
export const SAVE_PUSH = statement(
  'save',
  `
WITH task AS MATERIALIZED (SELECT no FROM a2a_task WHERE key = $1),
present AS MATERIALIZED (SELECT p.no, p.status FROM a2a_push p JOIN task t ON p.task_no = t.no WHERE p.config_id = $2),
judged AS MATERIALIZED (
  SELECT CASE
    WHEN NOT EXISTS (SELECT FROM task) THEN 'no such task'
    WHEN NOT EXISTS (SELECT FROM present) AND (SELECT count(*) FROM a2a_push p JOIN task t ON p.task_no = t.no) >= $10::int
      THEN 'too many for the task'
    WHEN coalesce((SELECT status FROM present), 1) <> 0 AND $9::int = 0
      AND (SELECT count(*) FROM a2a_push WHERE owner_key = $3 AND status = 0) >= $11::int THEN 'too many for the owner'
    ELSE 'saved'
  END AS verdict
), saved AS (
  INSERT INTO a2a_push AS p (task_no, owner_key, config_id, url, scheme, secrets, extensions, cursor, attempts, status)
  SELECT t.no, $3, $2, $4, $5, $6, $7, $8::int, 0, $9::int FROM task t, judged WHERE verdict = 'saved'
  ON CONFLICT (task_no, config_id) DO UPDATE SET url = EXCLUDED.url, scheme = EXCLUDED.scheme, secrets = EXCLUDED.secrets,
    extensions = EXCLUDED.extensions, attempts = 0, status = CASE p.status WHEN 1 THEN 1 ELSE 0 END, reason = NULL, due_at = NULL,
    holder = NULL
  RETURNING p.no, p.cursor
), forgotten AS (
  DELETE FROM a2a_push_letter l USING saved s WHERE l.push_no = s.no AND l.version > s.cursor
)
SELECT verdict FROM judged`,
);

export const FIND_PUSH = statement('find', `SELECT ${ROW} FROM a2a_push WHERE ${PLACE}`);

export const LIST_PUSHES = statement(
  'list',
  `SELECT ${ROW} FROM a2a_push WHERE task_no = (SELECT no FROM a2a_task WHERE key = $1) AND config_id > $2 ORDER BY config_id LIMIT $3`,
);

export const DELETE_PUSH = statement('delete', `DELETE FROM a2a_push WHERE ${PLACE}`);

export const COUNT_ACTIVE_PUSHES = statement('count', 'SELECT count(*) AS active FROM a2a_push WHERE owner_key = $1 AND status = 0');

/** Succeeds again for the same holder, who may not have heard the first answer. */
export const CLAIM_PUSH = statement(
  'claim',
  `UPDATE a2a_push SET holder = $3, due_at = ${NOW} + $4::bigint
   WHERE ${PLACE} AND status = 0 AND (due_at IS NULL OR due_at <= ${NOW} OR holder = $3) RETURNING ${ROW}`,
);

/** @returns the holders that still hold */
export const RENEW_PUSHES = statement(
  'renew',
  `
WITH claims AS MATERIALIZED (
  SELECT p.no, c.holder FROM unnest($1::text[], $2::text[], $3::text[]) AS c (key, config_id, holder)
  JOIN a2a_task t ON t.key = c.key JOIN a2a_push p ON p.task_no = t.no AND p.config_id = c.config_id ORDER BY p.no
)
UPDATE a2a_push p SET due_at = ${NOW} + $4::bigint FROM claims c WHERE p.no = c.no AND p.holder = c.holder RETURNING p.holder`,
);

const LETTER = (rows: string, from: number): string => `
  INSERT INTO a2a_push_letter (push_no, version, reason, attempts, at)
  SELECT no, $${from}::int, $${from + 1}, $${from + 2}::int, $${from + 3}::bigint FROM ${rows} WHERE $${from}::int IS NOT NULL
  ON CONFLICT (push_no, version) DO UPDATE SET reason = EXCLUDED.reason, attempts = EXCLUDED.attempts, at = EXCLUDED.at`;

export const ADVANCE_PUSH = statement(
  'advance',
  `
WITH moved AS (
  UPDATE a2a_push SET cursor = $4::int, attempts = 0, due_at = ${NOW} + $5::bigint WHERE ${HELD} RETURNING no
), letter AS (${LETTER('moved', 6)})
SELECT no FROM moved`,
);

/** @returns one row, `released`, `behind` or `lost` */
export const PARK_PUSH = statement(
  'park',
  `
WITH parked AS (
  UPDATE a2a_push SET cursor = $4::int, attempts = 0, due_at = NULL, holder = NULL
  WHERE ${HELD} AND (SELECT version FROM a2a_task WHERE key = $1) <= $4::int RETURNING no
)
SELECT CASE
  WHEN EXISTS (SELECT FROM parked) THEN 'released'
  WHEN EXISTS (SELECT FROM a2a_push WHERE ${HELD}) THEN 'behind'
  ELSE 'lost'
END AS outcome`,
);

export const RELEASE_PUSH = statement(
  'release',
  `
WITH released AS (
  UPDATE a2a_push SET cursor = $4::int, attempts = $5::int, status = $6::int, reason = $7, due_at = ${NOW} + $8::bigint, holder = NULL
  WHERE ${HELD} RETURNING no
), letter AS (${LETTER('released', 9)})
SELECT no FROM released`,
);

export const FIND_DUE_PUSHES = statement(
  'due',
  `
WITH due AS MATERIALIZED (SELECT no, task_no, config_id, due_at FROM a2a_push WHERE status = 0 AND due_at <= ${NOW} ORDER BY due_at LIMIT $1)
SELECT ${REF} FROM due p JOIN a2a_task t ON t.no = p.task_no ORDER BY p.due_at`,
);

/** A page of parked webhooks: those that are behind, and a last row with the page's size and end. */
export const FIND_BEHIND_PUSHES = statement(
  'behind',
  `
WITH page AS MATERIALIZED (
  SELECT no, task_no, config_id, cursor FROM a2a_push WHERE status = 0 AND due_at IS NULL AND no > $1::bigint ORDER BY no LIMIT $2
)
SELECT ${REF}, NULL::int AS size FROM page p JOIN a2a_task t ON t.no = p.task_no WHERE t.version > p.cursor
UNION ALL
SELECT coalesce(max(no), 0), NULL, NULL, NULL, NULL, NULL, count(*)::int FROM page`,
);

export const FIND_ACTIVE_PUSHES = statement(
  'active',
  `SELECT ${REF} FROM unnest($1::text[]) AS w (key) JOIN a2a_task t ON t.key = w.key JOIN a2a_push p ON p.task_no = t.no AND p.status = 0`,
);

export const FIND_TROUBLED_PUSHES = statement(
  'troubled',
  `
WITH found AS MATERIALIZED (
  SELECT no FROM a2a_push WHERE (status = 2 OR attempts > 0) AND no > $1::bigint
  UNION SELECT push_no FROM a2a_push_letter WHERE push_no > $1::bigint ORDER BY no LIMIT $2
)
SELECT ${REF}, p.url, p.scheme, p.secrets, p.extensions, p.cursor, p.attempts, p.status, p.reason
FROM found f JOIN a2a_push p ON p.no = f.no JOIN a2a_task t ON t.no = p.task_no ORDER BY p.no`,
);

export const FIND_PUSH_LETTERS = statement(
  'letters',
  'SELECT push_no, version, reason, attempts, at FROM a2a_push_letter WHERE push_no = ANY ($1::bigint[]) ORDER BY push_no, version',
);

/** @returns a row when there is such a webhook */
export const REWIND_PUSH = statement(
  'rewind',
  `
WITH target AS MATERIALIZED (
  SELECT p.no, p.status, p.cursor, greatest(0, least(p.cursor, coalesce($3::int,
    (SELECT min(version) FROM a2a_push_letter l WHERE l.push_no = p.no) - 1, p.cursor))) AS goal
  FROM a2a_push p WHERE ${PLACE} FOR UPDATE
), moved AS (
  UPDATE a2a_push p SET cursor = t.goal, attempts = 0, status = 0, reason = NULL, due_at = ${NOW}, holder = NULL
  FROM target t WHERE p.no = t.no AND NOT (t.status = 1 AND t.goal = t.cursor) RETURNING p.no, t.goal
), forgotten AS (
  DELETE FROM a2a_push_letter l USING moved m WHERE l.push_no = m.no AND l.version > m.goal
)
SELECT no FROM target`,
);

/** @returns a row for each; none when it runs again */
export const FORGET_PUSH_LETTERS = statement(
  'forget',
  `DELETE FROM a2a_push_letter WHERE push_no = (SELECT no FROM a2a_push WHERE ${PLACE}) RETURNING version`,
);
