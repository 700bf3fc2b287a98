import { Injectable } from '@nestjs/common';
import { AgentRegistry, type HostedAgent } from '@a2a/a2a-core';
import { A2aAuthOptions } from '../auth.options.js';
import { type AgentRules, DeclaredSecurity } from './agent-rules.js';
import { SchemeRegistry } from './scheme-registry.js';

/** What clients have to know to get a token for an agent (RFC 9728 §2). */
export interface ProtectedResource {
  /** What a client asks its authorization server for (RFC 8707): the agent's audience where that is an address, else the agent's own. */
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers: readonly string[];
  /** Scopes that requirements, operations and public skills ask for. */
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_documentation?: string;
}

/** The metadata of the host's agents. A host that sets `resourceMetadata` serves them at `resourceMetadataUrl`. */
@Injectable()
export class ProtectedResources {
  constructor(
    private readonly options: A2aAuthOptions,
    private readonly agents: AgentRegistry,
    private readonly declared: DeclaredSecurity,
    private readonly registry: SchemeRegistry,
  ) {}

  /** Undefined for an agent that is not there or takes no tokens. */
  find(agentId: string): ProtectedResource | undefined {
    const agent = this.agents.find(agentId);
    const { publicUrl } = this.options.resourceMetadata ?? {};
    if (!agent || publicUrl === undefined) return undefined;
    const rules = this.declared.rulesOf(agent);
    const issuers = new Set(rules.schemeNames.flatMap((name) => this.registry.find(name)?.prepared.issuer ?? []));
    if (issuers.size === 0) return undefined;
    const scopes = [...new Set(this.scopesOf(agent, rules))];
    return {
      resource: rules.audiences.find((audience) => /^https?:/.test(audience)) ?? `${publicUrl}/agents/${agent.id}`,
      resource_name: agent.options.name,
      authorization_servers: [...issuers],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      ...(agent.options.documentationUrl && { resource_documentation: agent.options.documentationUrl }),
    };
  }

  /** Of token schemes only: others grant what their secret was given. */
  private scopesOf(agent: HostedAgent, { requirements, operationScopes }: AgentRules): readonly string[] {
    const skills = agent.skills.filter(({ options }) => options.visibility !== 'extended');
    const asked = [...requirements, ...skills.flatMap((skill) => this.declared.skillRules(agent, skill))];
    const ofSchemes = asked.flatMap((alternative) =>
      Object.entries(alternative).flatMap(([name, scopes]) => (this.registry.find(name)?.prepared.issuer === undefined ? [] : scopes)),
    );
    return [...ofSchemes, ...Object.values(operationScopes).flat()];
  }
}
