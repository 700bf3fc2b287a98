import { type HostedAgent } from '../agents/hosted-agent.js';
import { type OperationName } from '../protocol/operations.js';
import { type CallSeed, type IdentifiedCall } from './call-context.js';
import { ANONYMOUS, type Principal } from './principal.js';

/** Finds out who calls, from headers or metadata alone. The only creator of principals. */
export abstract class CallAuthenticator {
  /**
   * Runs before a body is read or a message decoded.
   *
   * The call returned holds no credential: their headers, parameters and certificate are gone.
   *
   * @throws {A2aError} UNAUTHENTICATED with challenges, PERMISSION_DENIED, INVALID_REQUEST for malformed credentials, or UNAVAILABLE
   */
  abstract identify(seed: CallSeed): Promise<IdentifiedCall>;

  /**
   * Decides whether the caller may use this operation of this agent in this tenant. Runs once the message is decoded and before any task
   * is looked at.
   *
   * @param taskId the task that the request names, if any; echoed by the error for a tenant that is not the caller's
   * @returns the principal as this agent sees it
   * @throws {A2aError} UNAUTHENTICATED, PERMISSION_DENIED, or TASK_NOT_FOUND for a tenant that is not the caller's
   */
  abstract admit(call: IdentifiedCall, agent: HostedAgent, tenant: string, operation: OperationName, taskId?: string): Promise<Principal>;
}

/** For hosts whose agents ask for no credentials: everybody is one anonymous caller. */
export class AnonymousAuthenticator extends CallAuthenticator {
  async identify(seed: CallSeed): Promise<IdentifiedCall> {
    return { ...seed, principal: ANONYMOUS };
  }

  async admit(call: IdentifiedCall): Promise<Principal> {
    return call.principal;
  }
}
