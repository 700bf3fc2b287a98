import { StateStore, type StoredValue, type TaskScope } from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import type Database from 'better-sqlite3';
import { formatScope, parseScope } from '../encoded-change.js';
import { formatKey, parseKey } from '../key-text.js';
import { type PlaceRow, scopesOfOwner } from '../scopes-of-owner.js';
import { checkOpen } from './sqlite.connection.js';
import { type WriteQueue } from './write-queue.js';

type Place = Record<'agent' | 'tenant' | 'owner' | 'namespace' | 'name', string>;

const SCOPE = 'agent = @agent AND tenant = @tenant AND owner = @owner';
const PLACE = `${SCOPE} AND namespace = @namespace AND name = @name`;
const SOME = (where: string): string => `DELETE FROM a2a_state WHERE rowid IN (SELECT rowid FROM a2a_state WHERE ${where} LIMIT @limit)`;

/** Values in a SQLite file. An update reads and writes in one transaction. */
export class SqliteStateStore extends StateStore {
  readonly #read: Database.Statement<[Place], { value: string }>;
  readonly #write: Database.Statement<[Place & { value: string; nowMs: number }]>;
  readonly #remove: Database.Statement<[Place]>;
  readonly #firstPage: Database.Statement<[object], { name: string; value: string }>;
  readonly #laterPage: Database.Statement<[object], { name: string; value: string }>;
  readonly #removeAny: Database.Statement<[object]>;
  readonly #removeOfNamespace: Database.Statement<[object]>;
  readonly #removeUnwritten: Database.Statement<[object]>;
  readonly #scopes: Database.Statement<[string], PlaceRow>;

  constructor(
    private readonly database: Database.Database,
    private readonly queue: WriteQueue,
  ) {
    super();
    this.#read = database.prepare(`SELECT value FROM a2a_state WHERE ${PLACE}`);
    this.#write = database.prepare(
      `INSERT INTO a2a_state (agent, tenant, owner, namespace, name, value, written_at)
       VALUES (@agent, @tenant, @owner, @namespace, @name, @value, @nowMs) ON CONFLICT DO UPDATE SET value = @value, written_at = @nowMs`,
    );
    this.#remove = database.prepare(`DELETE FROM a2a_state WHERE ${PLACE}`);
    const page = (where: string): string => `SELECT name, value FROM a2a_state WHERE ${where} ORDER BY name LIMIT @limit`;
    this.#firstPage = database.prepare(page(`${SCOPE} AND namespace = @namespace`));
    this.#laterPage = database.prepare(page(`${SCOPE} AND namespace = @namespace AND name > @after`));
    this.#removeAny = database.prepare(SOME(SCOPE));
    this.#removeOfNamespace = database.prepare(SOME(`${SCOPE} AND namespace = @namespace`));
    this.#removeUnwritten = database.prepare(SOME('written_at < @sinceMs'));
    this.#scopes = database.prepare(scopesOfOwner('a2a_state', '?'));
  }

  async get(scope: TaskScope, namespace: string, key: string): Promise<JsonValue | undefined> {
    checkOpen(this.database);
    return this.#value(placeOf(scope, namespace, key));
  }

  async update(
    scope: TaskScope,
    namespace: string,
    key: string,
    change: (present: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<JsonValue | undefined> {
    const place = placeOf(scope, namespace, key);
    return this.queue.run(() => {
      const next = change(this.#value(place));
      if (next === undefined) this.#remove.run(place);
      else this.#write.run({ ...place, value: JSON.stringify(next), nowMs: Date.now() });
      return this.#value(place);
    });
  }

  async list(scope: TaskScope, namespace: string, after: string | undefined, limit: number): Promise<StoredValue[]> {
    checkOpen(this.database);
    const bound = { ...formatScope(scope), namespace: formatKey(namespace), limit };
    const rows = after === undefined ? this.#firstPage.all(bound) : this.#laterPage.all({ ...bound, after: formatKey(after) });
    return rows.map(({ name, value }) => ({ key: parseKey(name), value: JSON.parse(value) as JsonValue }));
  }

  async delete(scope: TaskScope, limit: number, namespace?: string): Promise<number> {
    const bound = { ...formatScope(scope), limit };
    return this.queue.run(() =>
      namespace === undefined
        ? this.#removeAny.run(bound).changes
        : this.#removeOfNamespace.run({ ...bound, namespace: formatKey(namespace) }).changes,
    );
  }

  async deleteUnwritten(sinceMs: number, limit: number): Promise<number> {
    return this.queue.run(() => this.#removeUnwritten.run({ sinceMs, limit }).changes);
  }

  async findScopes(owner: string): Promise<TaskScope[]> {
    checkOpen(this.database);
    return this.#scopes.all(formatKey(owner)).map((place) => ({ ...parseScope({ ...place, owner: '' }), owner }));
  }

  #value(place: Place): JsonValue | undefined {
    const row = this.#read.get(place);
    return row && (JSON.parse(row.value) as JsonValue);
  }
}

function placeOf(scope: TaskScope, namespace: string, key: string): Place {
  return { ...formatScope(scope), namespace: formatKey(namespace), name: formatKey(key) };
}
