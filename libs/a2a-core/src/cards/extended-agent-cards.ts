import { type CallContext } from '../call/call-context.js';
import { type AgentCard } from '../gen/a2a_pb.js';
import { type HostedAgent } from '../agents/hosted-agent.js';

/** Cards for callers who have shown who they are (A2A §3.1.11). */
export abstract class ExtendedAgentCards {
  /** @returns undefined when the agent declares an extended card and none is configured */
  abstract cardFor(agent: HostedAgent, call: CallContext): Promise<AgentCard | undefined>;
}
