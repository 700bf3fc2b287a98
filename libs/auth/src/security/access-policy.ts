import { type OperationName, type Principal } from '@a2a/a2a-core';

/** Everything a team's own rule may want to look at. */
export interface AccessQuestion {
  readonly principal: Principal;
  readonly agentId: string;
  readonly tenant: string;
  /** Undefined when the question is about a skill. */
  readonly operation?: OperationName;
  /** The task the request names; whether it exists has not been looked at. */
  readonly taskId?: string;
  readonly skillId?: string;
}

/**
 * - `allow`: go on.
 * - `deny`: PERMISSION_DENIED.
 * - `hide`: as if the task were not there. Where a question names no task, `deny`.
 */
export type AccessVerdict = 'allow' | 'deny' | 'hide';

/**
 * A team's own rules. Asked last, so it can only take away: what schemes, scopes and tenants refuse is never put before it. What it
 * throws refuses the call.
 */
export abstract class AccessPolicy {
  abstract decide(question: AccessQuestion): AccessVerdict | Promise<AccessVerdict>;
}

export class NoFurtherRules extends AccessPolicy {
  decide(): AccessVerdict {
    return 'allow';
  }
}
