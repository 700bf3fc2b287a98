import { A2aError, type SchemeRequirement, UnavailableError } from '@a2a/a2a-core';
import { type AgentRules } from './agent-rules.js';
import { bearerChallenge } from '../tokens/bearer-challenge.js';
import { type SchemeFinding } from './policy-engine.js';
import { type SchemeRegistry } from './scheme-registry.js';

/** Why a call is refused; where alternatives fail differently, the first of these that applies is the answer. */
const RANKING = ['forbidden', 'limited', 'unavailable', 'malformed', 'unauthenticated'] as const;

export type RefusalKind = (typeof RANKING)[number];

/** The alternatives of one agent that all failed. */
export interface FailedAgent {
  readonly rules: AgentRules;
  readonly alternatives: readonly (readonly SchemeFinding[])[];
}

/** How one alternative failed. Inside it the opposite order holds: who is not known at all is not told about missing scopes. */
function kindOf(findings: readonly SchemeFinding[]): RefusalKind {
  const failures = findings.flatMap((finding) => (finding.kind === 'failed' ? [finding.failure.kind] : []));
  if (failures.includes('malformed')) return 'malformed';
  if (failures.includes('invalid') || findings.some(({ kind }) => kind === 'absent')) return 'unauthenticated';
  if (failures.includes('limited')) return 'limited';
  return failures.includes('unavailable') ? 'unavailable' : 'forbidden';
}

/** Turns failed alternatives into the one error a caller sees. Its words are fixed: they depend on no token, key or user. */
export class Refusals {
  constructor(private readonly registry: SchemeRegistry) {}

  kindOf(agents: readonly FailedAgent[]): RefusalKind {
    const kinds = new Set(agents.flatMap(({ alternatives }) => alternatives.map(kindOf)));
    return RANKING.find((kind) => kinds.has(kind)) ?? 'unauthenticated';
  }

  toError(agents: readonly FailedAgent[]): A2aError {
    const kind = this.kindOf(agents);
    switch (kind) {
      case 'forbidden':
        return this.forbidden(agents);
      case 'limited':
        return new A2aError('RATE_LIMITED', 'Too many failed attempts', { retryAfterSeconds: waitOf(agents) });
      case 'unavailable':
        return new UnavailableError('Credentials cannot be checked right now');
      case 'malformed':
        return new A2aError('INVALID_REQUEST', 'The credentials cannot be read');
      case 'unauthenticated':
        return this.unauthenticated(agents);
    }
  }

  /** For an operation that needs a caller where the agent itself needs none. */
  needsCaller(rules: AgentRules): A2aError {
    const challenges = rules.schemeNames.map((name) => this.challenge(name, rules, []));
    const some = challenges.length > 0 ? challenges : [bearerChallenge({ realm: rules.agentId, scopes: [] })];
    return new A2aError('UNAUTHENTICATED', 'Authentication required', { challenges: some });
  }

  /** For a caller that is known and lacks a scope. Names the scope and nothing of what it would open. */
  needsScopes(rules: AgentRules, scopes: readonly string[]): A2aError {
    const challenge = bearerChallenge({ realm: rules.agentId, scopes, error: 'insufficient_scope', ...metadataOf(rules) });
    return insufficientScope(scopes, [challenge]);
  }

  /** For a caller that is known, by other schemes than these. */
  needsSchemes(rules: AgentRules, requirements: readonly SchemeRequirement[]): A2aError {
    const challenges = requirements.flatMap((requirement) =>
      Object.entries(requirement).map(([name, scopes]) => this.challenge(name, rules, scopes)),
    );
    return new A2aError('PERMISSION_DENIED', 'This needs other credentials', { challenges: [...new Set(challenges)] });
  }

  private unauthenticated(agents: readonly FailedAgent[]): A2aError {
    const challenges = agents.flatMap(({ rules, alternatives }) =>
      alternatives.flat().map((finding) => {
        const error = finding.kind === 'failed' && finding.failure.kind === 'invalid' ? 'invalid_token' : undefined;
        return this.challenge(finding.scheme, rules, finding.kind === 'ok' ? [] : finding.needed, error);
      }),
    );
    const shown = agents.some(({ alternatives }) => alternatives.flat().some(({ kind }) => kind === 'failed'));
    const message = shown ? 'The credentials are not valid' : 'Authentication required';
    return new A2aError('UNAUTHENTICATED', message, { challenges: [...new Set(challenges)] });
  }

  private forbidden(agents: readonly FailedAgent[]): A2aError {
    const lacking = agents.flatMap(({ rules, alternatives }) =>
      alternatives
        .filter((findings) => kindOf(findings) === 'forbidden')
        .flatMap((findings) => findings.flatMap((finding) => (finding.kind === 'scopes' ? [{ rules, finding }] : []))),
    );
    if (lacking.length === 0) return new A2aError('PERMISSION_DENIED', 'The credentials may not be used from there');
    const challenges = lacking.map(({ rules, finding }) => this.challenge(finding.scheme, rules, finding.needed, 'insufficient_scope'));
    return insufficientScope([...new Set(lacking.flatMap(({ finding }) => finding.missing))], challenges);
  }

  private challenge(scheme: string, rules: AgentRules, scopes: readonly string[], error?: 'invalid_token' | 'insufficient_scope'): string {
    const facts = { realm: rules.agentId, scopes, error, ...metadataOf(rules) };
    return this.registry.find(scheme)?.prepared.challenge(facts) ?? bearerChallenge(facts);
  }
}

function insufficientScope(scopes: readonly string[], challenges: readonly string[]): A2aError {
  const scope = scopes.join(' ');
  return new A2aError('PERMISSION_DENIED', `The credentials do not grant the scope this needs: ${scope}`, {
    metadata: { scope },
    challenges: [...new Set(challenges)],
  });
}

function metadataOf(rules: AgentRules): { readonly resourceMetadataUrl?: string } {
  return { resourceMetadataUrl: rules.resourceMetadataUrl };
}

function waitOf(agents: readonly FailedAgent[]): number {
  const waits = agents.flatMap(({ alternatives }) =>
    alternatives
      .flat()
      .flatMap((finding) => (finding.kind === 'failed' && finding.failure.kind === 'limited' ? [finding.failure.retryAfterSeconds] : [])),
  );
  return Math.min(...waits);
}
