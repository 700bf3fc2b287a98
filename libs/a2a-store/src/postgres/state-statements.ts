import { scopesOfOwner } from '../scopes-of-owner.js';
import { type Statement } from './postgres.connection.js';

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const SCOPE = 'agent = $1 AND tenant = $2 AND owner = $3';
const PLACE = `${SCOPE} AND namespace = $4 AND name = $5`;

export const READ: Statement = { name: 'a2a_state_read', text: `SELECT value FROM a2a_state WHERE ${PLACE}` };

export const ADD: Statement = {
  name: 'a2a_state_add',
  text: `INSERT INTO a2a_state (agent, tenant, owner, namespace, name, value, written_at) VALUES ($1, $2, $3, $4, $5, $6, ${NOW})
         ON CONFLICT DO NOTHING RETURNING 1 AS done`,
};

export const REPLACE: Statement = {
  name: 'a2a_state_replace',
  text: `UPDATE a2a_state SET value = $7, written_at = ${NOW} WHERE ${PLACE} AND value = $6 RETURNING 1 AS done`,
};

export const REMOVE: Statement = {
  name: 'a2a_state_remove',
  text: `DELETE FROM a2a_state WHERE ${PLACE} AND value = $6 RETURNING 1 AS done`,
};

const PAGE = (behind: string): string =>
  `SELECT name, value FROM a2a_state WHERE ${SCOPE} AND namespace = $4 ${behind} ORDER BY name LIMIT $5`;

export const LIST: Statement = { name: 'a2a_state_list', text: PAGE('') };
export const LIST_BEHIND: Statement = { name: 'a2a_state_list_behind', text: PAGE('AND name > $6') };

const DELETE_SOME = (where: string, limit: string): string => `
WITH picked AS MATERIALIZED (
  SELECT agent, tenant, owner, namespace, name FROM a2a_state WHERE ${where} LIMIT ${limit} FOR UPDATE
), gone AS (
  DELETE FROM a2a_state v USING picked s
  WHERE (v.agent, v.tenant, v.owner, v.namespace, v.name) = (s.agent, s.tenant, s.owner, s.namespace, s.name) RETURNING 1
)
SELECT count(*) AS deleted FROM gone`;

export const DELETE_ANY_VALUES: Statement = { name: 'a2a_state_delete_any', text: DELETE_SOME(SCOPE, '$4') };
export const DELETE_VALUES_OF: Statement = { name: 'a2a_state_delete_of', text: DELETE_SOME(`${SCOPE} AND namespace = $5`, '$4') };
export const DELETE_UNWRITTEN: Statement = { name: 'a2a_state_delete_unwritten', text: DELETE_SOME('written_at < $1', '$2') };

export const FIND_VALUE_SCOPES: Statement = { name: 'a2a_state_scopes', text: scopesOfOwner('a2a_state', '$1') };
