import { StateStore, type TaskScope } from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import type Database from 'better-sqlite3';
import { formatScope } from '../encoded-change.js';
import { formatKey } from '../key-text.js';
import { checkOpen } from './sqlite.connection.js';
import { type WriteQueue } from './write-queue.js';

type Place = Record<'agent' | 'tenant' | 'owner' | 'namespace' | 'name', string>;

const PLACE = 'agent = @agent AND tenant = @tenant AND owner = @owner AND namespace = @namespace AND name = @name';

/** Values in a SQLite file. An update reads and writes in one transaction. */
export class SqliteStateStore extends StateStore {
  readonly #read: Database.Statement<[Place], { value: string }>;
  readonly #write: Database.Statement<[Place & { value: string }]>;
  readonly #remove: Database.Statement<[Place]>;

  constructor(
    private readonly database: Database.Database,
    private readonly queue: WriteQueue,
  ) {
    super();
    this.#read = database.prepare(`SELECT value FROM a2a_state WHERE ${PLACE}`);
    this.#write = database.prepare(
      `INSERT INTO a2a_state (agent, tenant, owner, namespace, name, value)
       VALUES (@agent, @tenant, @owner, @namespace, @name, @value) ON CONFLICT DO UPDATE SET value = @value`,
    );
    this.#remove = database.prepare(`DELETE FROM a2a_state WHERE ${PLACE}`);
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
      else this.#write.run({ ...place, value: JSON.stringify(next) });
      return this.#value(place);
    });
  }

  #value(place: Place): JsonValue | undefined {
    const row = this.#read.get(place);
    return row && (JSON.parse(row.value) as JsonValue);
  }
}

function placeOf(scope: TaskScope, namespace: string, key: string): Place {
  return { ...formatScope(scope), namespace: formatKey(namespace), name: formatKey(key) };
}
