/**
 * Every agent and tenant in which an owner has rows of a table whose key begins with agent, tenant and owner.
 *
 * Steps from one agent and tenant to the next along the key, so it costs as much as there are of those, however many rows they have.
 *
 * @param owner placeholder of the driver, such as `?`
 */
export function scopesOfOwner(table: string, owner: string): string {
  const next = (column: string): string =>
    `(SELECT ${column} FROM ${table} WHERE (agent, tenant) > (place.agent, place.tenant) ORDER BY agent, tenant LIMIT 1)`;
  const first = (column: string): string => `(SELECT ${column} FROM ${table} ORDER BY agent, tenant LIMIT 1)`;
  return `
WITH RECURSIVE place (agent, tenant) AS (
  SELECT ${first('agent')}, ${first('tenant')}
  UNION ALL
  SELECT ${next('agent')}, ${next('tenant')} FROM place WHERE place.agent IS NOT NULL
)
SELECT agent, tenant FROM place
WHERE EXISTS (SELECT 1 FROM ${table} t WHERE t.agent = place.agent AND t.tenant = place.tenant AND t.owner = ${owner})`;
}

/** A row of it. */
export interface PlaceRow {
  readonly agent: string;
  readonly tenant: string;
}
