import { Injectable } from '@nestjs/common';
import { A2aError, InvalidParamsError, type OperationName, type Principal, RefusalCause, TaskNotFoundError } from '@a2a/a2a-core';
import { AccessPolicy } from './access-policy.js';
import { type AgentRules } from './agent-rules.js';
import { Refusals } from './refusal.js';
import { missingScopes } from './requirement.js';
import { SchemeRegistry } from './scheme-registry.js';

/** One operation on one agent, as far as it is known before any task is looked at. */
export interface OperationUse {
  readonly rules: AgentRules;
  readonly principal: Principal;
  readonly operation: OperationName;
  readonly tenant: string;
  readonly taskId?: string;
  /** The agent's card says it has an extended card. */
  readonly hasExtendedCard: boolean;
}

/** Operations that make something, or show the agent: a foreign tenant is refused there. Everywhere else nothing is found in it. */
const OPEN_ENDED: ReadonlySet<OperationName> = new Set<OperationName>(['SendMessage', 'SendStreamingMessage', 'GetExtendedAgentCard']);

/** Decides whether a known caller may use an operation: extended card, scopes, tenant, and the team's own rules, in that order. */
@Injectable()
export class OperationAccess {
  readonly #refusals: Refusals;

  constructor(
    private readonly policy: AccessPolicy,
    registry: SchemeRegistry,
  ) {
    this.#refusals = new Refusals(registry);
  }

  /** @throws {A2aError} */
  async check(use: OperationUse): Promise<void> {
    this.checkCaller(use);
    this.checkScopes(use);
    checkTenant(use);
    const { rules, principal, operation, tenant, taskId } = use;
    const verdict = await this.policy.decide({ principal, agentId: rules.agentId, tenant, operation, taskId });
    if (verdict === 'hide') throw because('policy', hidden(use));
    if (verdict !== 'allow') throw because('policy', new A2aError('PERMISSION_DENIED', 'You may not do this'));
  }

  /** Without a declared extended card there is nothing to protect, and the capability check answers (XCARD-03, XCARD-07). */
  private checkCaller({ rules, principal, operation, hasExtendedCard }: OperationUse): void {
    if (operation === 'GetExtendedAgentCard' && hasExtendedCard && !principal.authenticated)
      throw because('extended card', this.#refusals.needsCaller(rules));
  }

  private checkScopes({ rules, principal, operation }: OperationUse): void {
    const missing = missingScopes(rules.operationScopes[operation] ?? [], principal.scopes);
    if (missing.length === 0) return;
    throw because('scope', principal.authenticated ? this.#refusals.needsScopes(rules, missing) : this.#refusals.needsCaller(rules));
  }
}

/** A tenant is a claim. Only membership confirms it, and one that nobody has is answered like one the caller does not belong to. */
function checkTenant(use: OperationUse): void {
  const { rules, principal, tenant } = use;
  if (tenant === '') {
    if (rules.tenantRequired) throw InvalidParamsError.of('tenant', 'this agent needs a tenant');
    return;
  }
  if (rules.tenants === 'members' && !principal.tenants?.has(tenant)) throw because('tenant', hidden(use));
}

/** For the audit trail: callers are not told which rule it was. */
function because(rule: string, error: A2aError): A2aError {
  error.cause = new RefusalCause(rule);
  return error;
}

function hidden({ operation, taskId }: OperationUse): A2aError {
  if (taskId) return new TaskNotFoundError(taskId);
  if (OPEN_ENDED.has(operation)) return new A2aError('PERMISSION_DENIED', 'You may not do this');
  return new A2aError('TASK_NOT_FOUND', 'Task not found');
}
