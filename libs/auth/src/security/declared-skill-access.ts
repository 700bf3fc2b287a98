import { Injectable } from '@nestjs/common';
import { A2aError, type Principal, RefusalCause, type SchemeRequirement, SkillAccess, type SkillUse } from '@a2a/a2a-core';
import { AccessPolicy } from './access-policy.js';
import { type AgentRules, DeclaredSecurity } from './agent-rules.js';
import { Refusals } from './refusal.js';
import { missingScopes } from './requirement.js';
import { SchemeRegistry } from './scheme-registry.js';

/** Skill rules by what the caller's credentials granted, which the principal carries; the credentials themselves are long gone. */
@Injectable()
export class DeclaredSkillAccess extends SkillAccess {
  readonly #refusals: Refusals;

  constructor(
    private readonly declared: DeclaredSecurity,
    private readonly policy: AccessPolicy,
    registry: SchemeRegistry,
  ) {
    super();
    this.#refusals = new Refusals(registry);
  }

  async check(use: SkillUse): Promise<void> {
    const refusal = await this.findRefusal(use);
    if (refusal) throw refusal;
  }

  async isAllowed(use: SkillUse): Promise<boolean> {
    return (await this.findRefusal(use)) === undefined;
  }

  private async findRefusal(use: SkillUse): Promise<A2aError | undefined> {
    const { agent, skill, principal, tenant, taskId } = use;
    const alternatives = this.declared.skillRules(agent, skill);
    if (alternatives.length > 0 && !alternatives.some((alternative) => isGranted(alternative, principal))) {
      const refusal = this.refusal(this.declared.rulesOf(agent), alternatives, principal);
      refusal.cause = new RefusalCause(`skill ${skill.options.id}`);
      return refusal;
    }
    const verdict = await this.policy.decide({ principal, agentId: agent.id, tenant, taskId, skillId: skill.options.id });
    return verdict === 'allow'
      ? undefined
      : new A2aError('PERMISSION_DENIED', 'You may not do this', {}, { cause: new RefusalCause('policy') });
  }

  private refusal(rules: AgentRules, alternatives: readonly SchemeRequirement[], principal: Principal): A2aError {
    if (!principal.authenticated) return this.#refusals.needsCaller(rules);
    const missing = cheapest(alternatives, principal);
    return missing ? this.#refusals.needsScopes(rules, missing) : this.#refusals.needsSchemes(rules, alternatives);
  }
}

function isGranted(alternative: SchemeRequirement, { grants }: Principal): boolean {
  return Object.entries(alternative).every(([name, scopes]) => {
    const granted = grants?.get(name);
    return granted !== undefined && missingScopes(scopes, granted).length === 0;
  });
}

/** Scopes of the alternative whose schemes the caller has and that lacks the fewest; undefined when a scheme is missing everywhere. */
function cheapest(alternatives: readonly SchemeRequirement[], { grants }: Principal): readonly string[] | undefined {
  return alternatives
    .filter((alternative) => Object.keys(alternative).every((name) => grants?.has(name)))
    .map((alternative) => Object.entries(alternative).flatMap(([name, scopes]) => missingScopes(scopes, grants?.get(name) ?? [])))
    .toSorted((left, right) => left.length - right.length)[0];
}
