import { type HostedAgent } from './hosted-agent.js';
import { type CallSeed } from '../call/call-context.js';

/** The agent a call is for, and what is left of its tenant. */
export interface Resolved {
  readonly agent: HostedAgent;
  /** Tenant of the operator's customer; empty for none. */
  readonly tenant: string;
}

/** The one place that knows which agent a call is for. */
export abstract class AgentRegistry {
  abstract readonly agents: readonly HostedAgent[];

  /** The agent served at the root paths. */
  abstract readonly defaultAgent: HostedAgent;

  abstract find(agentId: string): HostedAgent | undefined;

  /**
   * @param tenant the request message's `tenant`, as sent
   * @throws {A2aError} ROUTE_NOT_FOUND for an unknown mount; INVALID_PARAMS when URL and request name different tenants
   */
  abstract resolve(seed: CallSeed, tenant: string): Resolved;
}
