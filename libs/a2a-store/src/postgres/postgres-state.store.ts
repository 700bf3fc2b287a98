import { StateStore, type StoredValue, type TaskScope, UnavailableError } from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import { formatScope, parseScope } from '../encoded-change.js';
import { formatKey, parseKey } from '../key-text.js';
import { type PlaceRow } from '../scopes-of-owner.js';
import { type PostgresConnection, type Statement } from './postgres.connection.js';
import {
  ADD,
  DELETE_ANY_VALUES,
  DELETE_UNWRITTEN,
  DELETE_VALUES_OF,
  FIND_VALUE_SCOPES,
  LIST,
  LIST_BEHIND,
  READ,
  REMOVE,
  REPLACE,
} from './state-statements.js';
import { hasUnknownOutcome } from './statement-failure.js';

/** Far more than as many processes as there may be need to pass each other. */
const ROUNDS = 100;

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

  async list(scope: TaskScope, namespace: string, after: string | undefined, limit: number): Promise<StoredValue[]> {
    const values = [...scopeOf(scope), formatKey(namespace), limit, ...(after === undefined ? [] : [formatKey(after)])];
    const rows = await this.connection.runRepeatable<{ name: string; value: string }>(after === undefined ? LIST : LIST_BEHIND, values);
    return rows.map(({ name, value }) => ({ key: parseKey(name), value: JSON.parse(value) as JsonValue }));
  }

  async delete(scope: TaskScope, limit: number, namespace?: string): Promise<number> {
    const values = [...scopeOf(scope), limit];
    return namespace === undefined
      ? this.#deleteSome(DELETE_ANY_VALUES, values)
      : this.#deleteSome(DELETE_VALUES_OF, [...values, formatKey(namespace)]);
  }

  async deleteUnwritten(sinceMs: number, limit: number): Promise<number> {
    return this.#deleteSome(DELETE_UNWRITTEN, [sinceMs, limit]);
  }

  async findScopes(owner: string): Promise<TaskScope[]> {
    const rows = await this.connection.runRepeatable<PlaceRow>(FIND_VALUE_SCOPES, [formatKey(owner)]);
    return rows.map((place) => ({ ...parseScope({ ...place, owner: '' }), owner }));
  }

  async #deleteSome(statement: Statement, values: readonly unknown[]): Promise<number> {
    const [row] = await this.connection.runRepeatable<{ deleted: number }>(statement, values);
    return row?.deleted ?? 0;
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
    if (present === undefined && next === undefined) return true;
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
  return [...scopeOf(scope), formatKey(namespace), formatKey(key)];
}

function scopeOf(scope: TaskScope): string[] {
  const { agent, tenant, owner } = formatScope(scope);
  return [agent, tenant, owner];
}

function parse(json: string | undefined): JsonValue | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
}

function format(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
