import { create } from '@bufbuild/protobuf';
import { type SchemeRequirement, type SecurityRequirement, SecurityRequirementSchema, StringListSchema } from '@a2a/a2a-core';

/** The card's form of a requirement. */
export function toCardRequirement(requirement: SchemeRequirement): SecurityRequirement {
  const schemes = Object.entries(requirement).map(([name, scopes]) => [name, create(StringListSchema, { list: [...scopes] })]);
  return create(SecurityRequirementSchema, { schemes: Object.fromEntries(schemes) });
}

export function schemeNamesOf(requirements: readonly SchemeRequirement[]): readonly string[] {
  return [...new Set(requirements.flatMap((requirement) => Object.keys(requirement)))];
}

/** An alternative without schemes: callers may come without credentials. */
export function isAnonymous(requirement: SchemeRequirement): boolean {
  return Object.keys(requirement).length === 0;
}

/** Scopes of `needed` that are not among `granted`. */
export function missingScopes(needed: readonly string[], granted: Iterable<string>): readonly string[] {
  const have = new Set(granted);
  return needed.filter((scope) => !have.has(scope));
}

/** Both lists have to hold: every alternative of the one together with every alternative of the other. */
export function together(left: readonly SchemeRequirement[], right: readonly SchemeRequirement[]): readonly SchemeRequirement[] {
  return left.flatMap((one) => right.map((other) => merge(one, other)));
}

function merge(one: SchemeRequirement, other: SchemeRequirement): SchemeRequirement {
  const names = schemeNamesOf([one, other]);
  return Object.fromEntries(names.map((name) => [name, [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])]]));
}

/**
 * The alternatives with scopes added, each to the scheme that can carry them best: one that takes tokens, else the first. Alternatives
 * without schemes cannot grant anything and fall away.
 */
export function withScopes(
  requirements: readonly SchemeRequirement[],
  scopes: readonly string[],
  takesTokens: (schemeName: string) => boolean,
): readonly SchemeRequirement[] {
  return requirements.flatMap((requirement) => {
    const names = Object.keys(requirement);
    const carrier = names.find(takesTokens) ?? names[0];
    if (carrier === undefined) return [];
    return [{ ...requirement, [carrier]: [...new Set([...(requirement[carrier] ?? []), ...scopes])] }];
  });
}
