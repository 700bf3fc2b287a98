import { Inject, Injectable } from '@nestjs/common';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type AgentCaps, DEFAULT_CAPS, DEFAULT_LIMITS, type Limits } from './limits.options.js';

/** The limits that hold for an agent: its own, else the host's, else the defaults. */
@Injectable()
export class AgentLimits {
  readonly #limits = new WeakMap<HostedAgent, Limits>();
  readonly #caps = new WeakMap<HostedAgent, AgentCaps>();

  constructor(@Inject(A2A_CORE_OPTIONS) private readonly host: A2aCoreOptions) {}

  limitsOf(agent: HostedAgent): Limits {
    const limits = this.#limits.get(agent) ?? { ...DEFAULT_LIMITS, ...this.host.limits, ...agent.options.limits };
    this.#limits.set(agent, limits);
    return limits;
  }

  capsOf(agent: HostedAgent): AgentCaps {
    const caps = this.#caps.get(agent) ?? { ...DEFAULT_CAPS, ...this.host.caps, ...agent.options.caps };
    this.#caps.set(agent, caps);
    return caps;
  }
}
