import { type SchemeRequirement } from '@a2a/a2a-core';
import { type AgentRules } from './agent-rules.js';
import { type Credentials } from './credentials.js';
import { type CredentialsFailure, type Outcome, type VerifiedIdentity } from './outcome.js';
import { isAnonymous, missingScopes } from './requirement.js';

/** What one scheme contributes to one alternative. */
export type SchemeFinding =
  | { readonly kind: 'ok'; readonly scheme: string; readonly identity: VerifiedIdentity }
  | { readonly kind: 'scopes'; readonly scheme: string; readonly missing: readonly string[]; readonly needed: readonly string[] }
  | { readonly kind: 'absent'; readonly scheme: string; readonly needed: readonly string[] }
  | { readonly kind: 'failed'; readonly scheme: string; readonly needed: readonly string[]; readonly failure: CredentialsFailure };

/** Whether the caller may come in at all. `identities` is empty for a caller without credentials. */
export type Decision =
  | { readonly allowed: true; readonly identities: readonly VerifiedIdentity[] }
  | { readonly allowed: false; readonly alternatives: readonly (readonly SchemeFinding[])[] };

/**
 * Judges the alternatives of an agent: OR over them, AND within one (A2A §4.5, SEC-12).
 *
 * - The first alternative in declared order that holds is taken, whatever else holds too, so one set of credentials always means the
 *   same caller.
 * - Within it the first scheme names the caller; the others are evidence.
 * - No alternatives: the agent is open and credentials are not looked at.
 * - The alternative `{}` lets in callers that show nothing. Wrong credentials are not nothing: who sends a token means to be known.
 */
export async function decide(rules: AgentRules, credentials: Credentials): Promise<Decision> {
  if (rules.enforced.length === 0) return { allowed: true, identities: [] };
  const alternatives: SchemeFinding[][] = [];
  for (const requirement of rules.enforced.filter((alternative) => !isAnonymous(alternative))) {
    const findings = await Promise.all(Object.entries(requirement).map((entry) => findOne(entry, rules, credentials)));
    const identities = findings.flatMap((finding) => (finding.kind === 'ok' ? [finding.identity] : []));
    if (identities.length === findings.length) return { allowed: true, identities };
    alternatives.push(findings);
  }
  const nothingShown = alternatives.flat().every(({ kind }) => kind === 'absent');
  return rules.enforced.some(isAnonymous) && nothingShown ? { allowed: true, identities: [] } : { allowed: false, alternatives };
}

/**
 * Every scheme of agent or skills that this caller satisfies, with the scopes it granted.
 *
 * A scheme that cannot be judged right now grants nothing, and does not close an agent that does not need it.
 */
export async function grantsOf(rules: AgentRules, credentials: Credentials): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const judged = await Promise.all(rules.schemeNames.map(async (name) => [name, await outcomeFor(name, rules, credentials)] as const));
  return new Map(judged.flatMap(([name, outcome]) => (outcome.kind === 'verified' ? [[name, new Set(outcome.identity.scopes)]] : [])));
}

async function findOne(
  [scheme, needed]: [string, SchemeRequirement[string]],
  rules: AgentRules,
  credentials: Credentials,
): Promise<SchemeFinding> {
  const outcome = await outcomeFor(scheme, rules, credentials);
  if (outcome.kind === 'absent') return { kind: 'absent', scheme, needed };
  if (outcome.kind !== 'verified') return { kind: 'failed', scheme, needed, failure: outcome };
  const missing = missingScopes(needed, outcome.identity.scopes);
  return missing.length > 0 ? { kind: 'scopes', scheme, missing, needed } : { kind: 'ok', scheme, identity: outcome.identity };
}

/** A credential holds for an agent when it is meant for it, and comes with the certificate it is bound to, if any (RFC 8705 §3). */
async function outcomeFor(scheme: string, rules: AgentRules, credentials: Credentials): Promise<Outcome> {
  const outcome = await credentials.outcomeOf(scheme);
  if (outcome.kind !== 'verified') return outcome;
  const { audiences, boundToCertificate } = outcome.identity;
  if (audiences && !audiences.some((audience) => rules.audiences.includes(audience))) {
    return { kind: 'invalid', reason: 'the token is meant for another audience' };
  }
  if (boundToCertificate !== undefined && boundToCertificate !== credentials.request.certificate?.thumbprint) {
    return { kind: 'invalid', reason: 'the token is bound to a certificate that was not shown' };
  }
  return outcome;
}
