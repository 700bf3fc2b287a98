import { Injectable } from '@nestjs/common';
import {
  type AgentSecurity,
  CardSecurity,
  type HostedAgent,
  type HostedSkill,
  type SchemeRequirement,
  type SecurityRequirement,
  type SecurityScheme,
} from '@a2a/a2a-core';
import { A2aAuthOptions } from '../auth.options.js';
import { schemeNamesOf, toCardRequirement, together, withScopes } from './requirement.js';

/** Where metadata of protected resources begin (RFC 9728 §3). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** What one agent asks, with the host's defaults filled in. */
export interface AgentRules {
  readonly agentId: string;
  /** As declared, and as the card says it. */
  readonly requirements: readonly SchemeRequirement[];
  /**
   * What opens the agent. For an open agent whose skills ask for schemes, those schemes are tried and not required: a caller that
   * shows credentials is known by the time a skill is chosen.
   */
  readonly enforced: readonly SchemeRequirement[];
  /** Schemes that agent or skills name. */
  readonly schemeNames: readonly string[];
  readonly audiences: readonly string[];
  readonly operationScopes: NonNullable<AgentSecurity['operationScopes']>;
  readonly tenantRequired: boolean;
  readonly tenants: 'members' | 'anybody';
  readonly anonymousOwner: 'own' | 'shared';
  readonly resourceMetadataUrl?: string;
}

/** The one declaration, read for enforcement and for the card alike. */
@Injectable()
export class DeclaredSecurity extends CardSecurity {
  readonly #rules = new WeakMap<HostedAgent, AgentRules>();

  constructor(private readonly options: A2aAuthOptions) {
    super();
  }

  rulesOf(agent: HostedAgent): AgentRules {
    const known = this.#rules.get(agent);
    if (known) return known;
    const rules = this.makeRules(agent);
    this.#rules.set(agent, rules);
    return rules;
  }

  /** What a skill asks beside the agent; empty for nothing. Its scopes come from what opened the agent, or else from its own schemes. */
  skillRules(agent: HostedAgent, skill: HostedSkill): readonly SchemeRequirement[] {
    const { security = [], scopes = [] } = skill.options;
    if (scopes.length === 0) return security;
    const scoped = (alternatives: readonly SchemeRequirement[]): readonly SchemeRequirement[] =>
      withScopes(alternatives, scopes, (name) => this.takesTokens(name));
    const opening = scoped(this.declarationOf(agent).requirements ?? []);
    if (opening.length === 0) return scoped(security);
    return security.length > 0 ? together(opening, security) : opening;
  }

  schemesOf(agent: HostedAgent): Readonly<Record<string, SecurityScheme>> {
    const declared = this.rulesOf(agent).schemeNames.map((name) => [name, this.options.schemes?.[name]?.card] as const);
    return Object.fromEntries(declared.flatMap(([name, card]) => (card ? [[name, card]] : [])));
  }

  requirementsOf(agent: HostedAgent): readonly SecurityRequirement[] {
    return this.rulesOf(agent).requirements.map(toCardRequirement);
  }

  skillRequirementsOf(agent: HostedAgent, skill: HostedSkill): readonly SecurityRequirement[] {
    return this.skillRules(agent, skill).map(toCardRequirement);
  }

  private makeRules(agent: HostedAgent): AgentRules {
    const { requirements = [], audience = [], ...declared } = this.declarationOf(agent);
    const skillSchemes = schemeNamesOf(agent.skills.flatMap((skill) => this.skillRules(agent, skill)));
    const identifying = skillSchemes.map((name): SchemeRequirement => ({ [name]: [] }));
    return {
      agentId: agent.id,
      requirements,
      enforced: requirements.length > 0 || identifying.length === 0 ? requirements : [...identifying, {}],
      schemeNames: [...new Set([...schemeNamesOf(requirements), ...skillSchemes])],
      audiences: typeof audience === 'string' ? [audience] : audience,
      operationScopes: declared.operationScopes ?? this.options.operationScopes ?? {},
      tenantRequired: declared.tenantRequired ?? false,
      tenants: declared.tenants ?? 'members',
      anonymousOwner: declared.anonymousOwner ?? this.options.anonymousOwner ?? 'own',
      resourceMetadataUrl: declared.resourceMetadataUrl ?? this.servedMetadataUrl(agent),
    };
  }

  private servedMetadataUrl({ id }: HostedAgent): string | undefined {
    const { resourceMetadata } = this.options;
    return resourceMetadata && `${resourceMetadata.publicUrl}${RESOURCE_METADATA_PATH}/agents/${id}`;
  }

  private declarationOf(agent: HostedAgent): AgentSecurity {
    return this.options.agents?.[agent.id] ?? agent.options.security ?? {};
  }

  private takesTokens(schemeName: string): boolean {
    const scheme = this.options.schemes?.[schemeName]?.card.scheme;
    if (scheme?.case === 'httpAuthSecurityScheme') return scheme.value.scheme.toLowerCase() === 'bearer';
    return scheme?.case === 'oauth2SecurityScheme' || scheme?.case === 'openIdConnectSecurityScheme';
  }
}
