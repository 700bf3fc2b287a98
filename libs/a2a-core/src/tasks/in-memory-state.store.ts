import { type JsonValue } from '@bufbuild/protobuf';
import { Clock, SystemClock } from '../clock.js';
import { StateStore, type StoredValue } from './state-store.js';
import { type TaskScope } from './task-scope.js';

/** `clock` tells when values were written, for retention. Default: the time of this machine. */
export interface InMemoryStateStoreOptions {
  readonly clock?: Clock;
}

interface Kept {
  readonly json: string;
  readonly writtenAtMs: number;
}

/** One namespace of one scope. */
interface Shelf {
  readonly scope: TaskScope;
  readonly namespace: string;
  readonly values: Map<string, Kept>;
}

/** Keeps values in this process, as JSON text, so that nothing is shared with a caller. */
export class InMemoryStateStore extends StateStore {
  readonly #clock: Clock;
  readonly #shelves = new Map<string, Shelf>();

  constructor({ clock = new SystemClock() }: InMemoryStateStoreOptions = {}) {
    super();
    this.#clock = clock;
  }

  async get(scope: TaskScope, namespace: string, key: string): Promise<JsonValue | undefined> {
    return parse(this.#shelves.get(shelfKey(scope, namespace))?.values.get(key));
  }

  async update(
    scope: TaskScope,
    namespace: string,
    key: string,
    change: (present: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<JsonValue | undefined> {
    const { agentId, tenant, owner } = scope;
    const place = shelfKey(scope, namespace);
    const shelf = this.#shelves.get(place) ?? { scope: { agentId, tenant, owner }, namespace, values: new Map<string, Kept>() };
    const next = change(parse(shelf.values.get(key)));
    if (next === undefined) shelf.values.delete(key);
    else shelf.values.set(key, { json: JSON.stringify(next), writtenAtMs: this.#clock.now() });
    if (shelf.values.size > 0) this.#shelves.set(place, shelf);
    else this.#shelves.delete(place);
    return parse(shelf.values.get(key));
  }

  async list(scope: TaskScope, namespace: string, after: string | undefined, limit: number): Promise<StoredValue[]> {
    const values = [...(this.#shelves.get(shelfKey(scope, namespace))?.values ?? [])];
    return values
      .filter(([key]) => after === undefined || key > after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([key, { json }]) => ({ key, value: JSON.parse(json) as JsonValue }));
  }

  async delete(scope: TaskScope, limit: number, namespace?: string): Promise<number> {
    return this.#deleteWhere(limit, (shelf) => isSame(shelf.scope, scope) && (namespace === undefined || shelf.namespace === namespace));
  }

  async deleteUnwritten(sinceMs: number, limit: number): Promise<number> {
    return this.#deleteWhere(limit, (_, { writtenAtMs }) => writtenAtMs < sinceMs);
  }

  async findScopes(owner: string): Promise<TaskScope[]> {
    const found = new Map<string, TaskScope>();
    for (const { scope } of this.#shelves.values()) if (scope.owner === owner) found.set(shelfKey(scope, ''), { ...scope });
    return [...found.values()];
  }

  #deleteWhere(limit: number, matches: (shelf: Shelf, kept: Kept) => boolean): number {
    let deleted = 0;
    for (const [place, shelf] of this.#shelves) {
      for (const [key, kept] of shelf.values) {
        if (deleted >= limit) return deleted;
        if (matches(shelf, kept)) deleted += Number(shelf.values.delete(key));
      }
      if (shelf.values.size === 0) this.#shelves.delete(place);
    }
    return deleted;
  }
}

function shelfKey({ agentId, tenant, owner }: TaskScope, namespace: string): string {
  return JSON.stringify([agentId, tenant, owner, namespace]);
}

function isSame(one: TaskScope, other: TaskScope): boolean {
  return one.agentId === other.agentId && one.tenant === other.tenant && one.owner === other.owner;
}

function parse(kept: Kept | undefined): JsonValue | undefined {
  return kept && (JSON.parse(kept.json) as JsonValue);
}
