import { StateStore, type TaskScope, UnavailableError } from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import { formatScope } from '../encoded-change.js';
import { formatKey } from '../key-text.js';
import { type PostgresConnection, type Statement } from './postgres.connection.js';
import { hasUnknownOutcome } from './statement-failure.js';

/** Far more than as many processes as there may be need to pass each other. */
const ROUNDS = 100;

const PLACE = 'agent = $1 AND tenant = $2 AND owner = $3 AND namespace = $4 AND name = $5';

const READ: Statement = { name: 'a2a_state_read', text: `SELECT value FROM a2a_state WHERE ${PLACE}` };
const ADD: Statement = {
  name: 'a2a_state_add',
  text: `INSERT INTO a2a_state (agent, tenant, owner, namespace, name, value) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING RETURNING 1 AS done`,
};
const REPLACE: Statement = {
  name: 'a2a_state_replace',
  text: `UPDATE a2a_state SET value = $7 WHERE ${PLACE} AND value = $6 RETURNING 1 AS done`,
};
const REMOVE: Statement = { name: 'a2a_state_remove', text: `DELETE FROM a2a_state WHERE ${PLACE} AND value = $6 RETURNING 1 AS done` };

/**
 * Values in PostgreSQL. An update reads, and replaces exactly what it read; when another was faster it does so again. Updates of one value
 * in this process wait for each other, so that only processes compete.
 */
export class PostgresStateStore extends StateStore {
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor(private readonly connection: PostgresConnection) {
    super();
  }

  async get(scope: TaskScope, namespace: string, key: string): Promise<JsonValue | undefined> {
    return parse(await this.#read(placeOf(scope, namespace, key)));
  }

  async update(
    scope: TaskScope,
    namespace: string,
    key: string,
    change: (present: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<JsonValue | undefined> {
    const place = placeOf(scope, namespace, key);
    return this.#inTurn(JSON.stringify(place), async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const present = await this.#read(place);
        const next = format(change(parse(present)));
        if (await this.#replace(place, present, next)) return parse(next);
      }
      throw new UnavailableError('Too many changes of one value at once');
    });
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work, work);
    this.#tails.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === turn) this.#tails.delete(key);
    }
  }

  async #read(place: readonly string[]): Promise<string | undefined> {
    const [row] = await this.connection.runRepeatable<{ value: string }>(READ, place);
    return row?.value;
  }

  /** @returns false when the value is not `present` any more */
  async #replace(place: readonly string[], present: string | undefined, next: string | undefined): Promise<boolean> {
    if (present === next) return true;
    try {
      return (await this.#write(place, present, next)).length > 0;
    } catch (failure) {
      if (!hasUnknownOutcome(failure)) throw failure;
      if ((await this.#read(place)) === next) return true;
      throw new UnavailableError('The database is not available right now', 5, failure.cause);
    }
  }

  #write(place: readonly string[], present: string | undefined, next: string | undefined): Promise<unknown[]> {
    if (present === undefined) return this.connection.runOnce(ADD, [...place, next]);
    if (next === undefined) return this.connection.runOnce(REMOVE, [...place, present]);
    return this.connection.runOnce(REPLACE, [...place, present, next]);
  }
}

function placeOf(scope: TaskScope, namespace: string, key: string): string[] {
  const { agent, tenant, owner } = formatScope(scope);
  return [agent, tenant, owner, formatKey(namespace), formatKey(key)];
}

function parse(json: string | undefined): JsonValue | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
}

function format(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
