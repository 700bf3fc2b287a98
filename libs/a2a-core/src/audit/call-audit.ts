import { Injectable } from '@nestjs/common';
import { AgentRegistry } from '../agents/agent-registry.js';
import { type CallContext, type CallSeed, type IdentifiedCall } from '../call/call-context.js';
import { A2aError, type A2aErrorReason } from '../protocol/errors.js';
import { type OperationName } from '../protocol/operations.js';
import { Audit } from './audit.js';
import { type AuditEvent } from './audit-trail.js';
import { RefusalCause } from './refusal-cause.js';

/** Refusals that are events by themselves, whatever was asked for. */
const BY_REASON: Partial<Record<A2aErrorReason, AuditEvent>> = {
  UNAUTHENTICATED: 'authentication',
  PERMISSION_DENIED: 'authorization',
  TASK_NOT_FOUND: 'task.lookup',
};

/** Whoever counts says when a limit is reached; a record for each refusal would make a flood of calls a flood of records. */
const COUNTED: A2aErrorReason = 'RATE_LIMITED';

/** Operations that are events whether they were done or refused. Sends are not: only SendMessage itself knows whether it made a task. */
const BY_OPERATION: Partial<Record<OperationName, AuditEvent>> = {
  CancelTask: 'task.cancel',
  CreateTaskPushNotificationConfig: 'push_config.set',
  DeleteTaskPushNotificationConfig: 'push_config.delete',
  GetExtendedAgentCard: 'extended_card.read',
};

/** A call as far as it came; `context` once it was checked. */
export interface AuditedCall {
  readonly operation: OperationName;
  readonly call: IdentifiedCall;
  readonly context?: CallContext;
  /** As the request names it. */
  readonly tenant: string;
  readonly taskId?: string;
}

/** Derives the audit trail from how calls end, in one place for all wires and operations. Most calls end without a record. */
@Injectable()
export class CallAudit {
  constructor(
    private readonly audit: Audit,
    private readonly registry: AgentRegistry,
  ) {}

  /** A call was turned away before its body was read. */
  turnedAway(seed: CallSeed, error: unknown): void {
    const reason = reasonOf(error);
    if (reason === COUNTED) return;
    const { binding, remoteAddress } = seed;
    // Over gRPC the message names the agent, and it has not been read.
    const where = binding === 'GRPC' ? {} : this.#findAgent(seed, '');
    this.audit.note('authentication', { outcome: outcomeOf(reason), binding, remoteAddress, ...where, reason, detail: detailOf(error) });
  }

  done(operation: OperationName, context: CallContext, taskId?: string): void {
    const event = BY_OPERATION[operation];
    if (event) this.did(event, context, taskId);
  }

  /** Something happened that the operation alone does not tell. */
  did(event: AuditEvent, context: CallContext, taskId?: string): void {
    this.audit.note(event, { outcome: 'ok', ...factsOf(context), taskId });
  }

  refused({ operation, call, context, tenant, taskId }: AuditedCall, error: unknown): void {
    const reason = reasonOf(error);
    // Where a tenant or a policy hides a task, the caller is told that there is none. The trail is told the truth.
    const event = error instanceof A2aError && error.cause instanceof RefusalCause ? refusal(error.reason) : BY_REASON[reason];
    const tried = event ?? BY_OPERATION[operation];
    if (!tried || reason === COUNTED) return;
    const { binding, remoteAddress, principal } = call;
    const seed = { binding, remoteAddress, operation, ...this.#findAgent(call, tenant), owner: principal.owner };
    this.audit.note(tried, { outcome: outcomeOf(reason), ...(context ? factsOf(context) : seed), taskId, reason, detail: detailOf(error) });
  }

  #findAgent(call: CallSeed, named: string): { agentId?: string; tenant?: string } {
    try {
      const { agent, tenant } = this.registry.resolve(call, named);
      return { agentId: agent.id, tenant };
    } catch {
      return { agentId: call.mount, tenant: named };
    }
  }
}

function factsOf({ binding, remoteAddress, operation, agentId, scope }: CallContext) {
  return { binding, remoteAddress, operation, agentId, tenant: scope.tenant, owner: scope.owner };
}

function refusal(reason: A2aErrorReason): AuditEvent {
  return reason === 'UNAUTHENTICATED' ? 'authentication' : 'authorization';
}

function outcomeOf(reason: A2aErrorReason): 'refused' | 'failed' {
  return reason === 'INTERNAL' || reason === 'UNAVAILABLE' ? 'failed' : 'refused';
}

function reasonOf(error: unknown): A2aErrorReason {
  return error instanceof A2aError ? error.reason : 'INTERNAL';
}

function detailOf(error: unknown): string | undefined {
  return error instanceof A2aError && error.cause instanceof RefusalCause ? error.cause.message : undefined;
}
