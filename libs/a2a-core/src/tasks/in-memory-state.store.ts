import { type JsonValue } from '@bufbuild/protobuf';
import { StateStore } from './state-store.js';
import { type TaskScope } from './task-scope.js';

/** Keeps values in this process, as JSON text, so that nothing is shared with a caller. */
export class InMemoryStateStore extends StateStore {
  readonly #values = new Map<string, string>();

  async get(scope: TaskScope, namespace: string, key: string): Promise<JsonValue | undefined> {
    return this.#read(valueKey(scope, namespace, key));
  }

  async update(
    scope: TaskScope,
    namespace: string,
    key: string,
    change: (present: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<JsonValue | undefined> {
    const place = valueKey(scope, namespace, key);
    const next = change(this.#read(place));
    if (next === undefined) this.#values.delete(place);
    else this.#values.set(place, JSON.stringify(next));
    return this.#read(place);
  }

  #read(place: string): JsonValue | undefined {
    const json = this.#values.get(place);
    return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
  }
}

function valueKey({ agentId, tenant, owner }: TaskScope, namespace: string, key: string): string {
  return JSON.stringify([agentId, tenant, owner, namespace, key]);
}
