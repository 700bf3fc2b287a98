import { type JsonValue } from '@bufbuild/protobuf';
import { type TaskScope } from './task-scope.js';

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
}
