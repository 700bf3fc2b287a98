import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AgentRegistry, type HostedAgent, WireRegistry } from '@a2a/a2a-core';
import { A2aAuthOptions } from '../auth.options.js';
import { DeclaredSecurity } from './agent-rules.js';
import { SchemeRegistry } from './scheme-registry.js';
import { checkWire } from './wire-check.js';

/** Names in cards, challenges and logs; OpenAPI's rule for component names. */
const NAME_FORM = /^[A-Za-z0-9._-]{1,64}$/;

/** Compares what agents ask with what the host can check. A mistake here would be a hole later, so the host does not start with one. */
@Injectable()
export class SecurityCheck implements OnApplicationBootstrap {
  constructor(
    private readonly options: A2aAuthOptions,
    private readonly agents: AgentRegistry,
    private readonly declared: DeclaredSecurity,
    private readonly registry: SchemeRegistry,
    private readonly wires: WireRegistry,
  ) {}

  onApplicationBootstrap(): void {
    for (const name of Object.keys(this.options.schemes ?? {})) {
      if (!NAME_FORM.test(name)) throw new Error(`"${name}" cannot name a security scheme: letters, digits, ".", "_" and "-" can`);
    }
    for (const id of Object.keys(this.options.agents ?? {})) {
      if (!this.agents.find(id)) throw new Error(`Security is declared for the agent "${id}", which this host does not have`);
    }
    for (const agent of this.agents.agents) this.checkAgent(agent);
  }

  private checkAgent(agent: HostedAgent): void {
    const { requirements, schemeNames, audiences } = this.declared.rulesOf(agent);
    for (const name of schemeNames) {
      const scheme = this.registry.find(name);
      if (!scheme) {
        throw new Error(`Agent "${agent.id}" asks for the scheme "${name}". Add it to the schemes of A2aAuthModule, or correct the name.`);
      }
      if (scheme.needsAudience && audiences.length === 0) {
        throw new Error(
          `Agent "${agent.id}" takes tokens by the scheme "${name}" and has no audience, so it would take those for other agents too. ` +
            `Add security.audience, the value that tokens for this agent have in "aud".`,
        );
      }
    }
    const behindProxies = (this.options.clientCertificates?.trustedProxies ?? []).length > 0;
    for (const wire of this.wires.wires) checkWire({ agent, requirements, wire, behindProxies }, this.registry);
    this.checkSkills(agent);
  }

  private checkSkills(agent: HostedAgent): void {
    for (const skill of agent.skills) {
      const { id, scopes = [] } = skill.options;
      if (scopes.length > 0 && this.declared.skillRules(agent, skill).length === 0) {
        throw new Error(`Skill "${id}" of agent "${agent.id}" needs scopes, but neither names a scheme that could grant them`);
      }
    }
  }
}
