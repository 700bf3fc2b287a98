import { type JsonValue } from '@bufbuild/protobuf';
import { type TaskScope } from './task-scope.js';

/** A value and its key. */
export interface StoredValue {
  readonly key: string;
  readonly value: JsonValue;
}

/**
 * Durable values that outlive a task, in a namespace of the caller's scope.
 *
 * - Foreign scopes never meet: the same namespace and key in another scope is another value.
 * - `update` is atomic: of two at once, the second sees what the first wrote.
 */
export abstract class StateStore {
  abstract get(scope: TaskScope, namespace: string, key: string): Promise<JsonValue | undefined>;

  /**
   * Replaces a value.
   *
   * @param change gets the present value and returns the next; may run more than once; undefined removes the value
   * @returns the value now stored
   */
  abstract update(
    scope: TaskScope,
    namespace: string,
    key: string,
    change: (present: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<JsonValue | undefined>;

  /**
   * Values of a namespace, in an order of the store's own, at most `limit`.
   *
   * @param after key of the last value of the page before
   */
  abstract list(scope: TaskScope, namespace: string, after: string | undefined, limit: number): Promise<StoredValue[]>;

  /**
   * Removes values of the scope, at most `limit`.
   *
   * @param namespace of this one only. Default: of any
   * @returns how many there were
   */
  abstract delete(scope: TaskScope, limit: number, namespace?: string): Promise<number>;

  /**
   * Removes values that were last written before a moment, by the store's own clock, at most `limit`. Looks across all scopes.
   *
   * @returns how many there were
   */
  abstract deleteUnwritten(sinceMs: number, limit: number): Promise<number>;

  /** Where `owner` has values. Looks across all agents and tenants. */
  abstract findScopes(owner: string): Promise<TaskScope[]>;
}
