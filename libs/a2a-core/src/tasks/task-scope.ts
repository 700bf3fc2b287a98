/**
 * The part of the store a caller can see. First parameter of every repository method: what lies outside does not exist
 * (A2A §3.3.2, §13.1).
 */
export interface TaskScope {
  readonly agentId: string;
  /** Empty where the host has no tenants. */
  readonly tenant: string;
  /** Ownership key of the principal. */
  readonly owner: string;
}

/** One task anywhere in the store, as a map key. */
export function taskKey(scope: TaskScope, taskId: string): string {
  return JSON.stringify([scope.agentId, scope.tenant, scope.owner, taskId]);
}

/** The twin of `taskKey`. */
export function parseTaskKey(key: string): { readonly scope: TaskScope; readonly taskId: string } {
  const [agentId, tenant, owner, taskId] = JSON.parse(key) as [string, string, string, string];
  return { scope: { agentId, tenant, owner }, taskId };
}
