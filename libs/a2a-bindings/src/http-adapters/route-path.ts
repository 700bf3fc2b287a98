/** The HTTP adapters of Nest that are supported. */
export type HttpAdapterKind = 'express' | 'fastify';

/** Where an agent is mounted: all of them under their ids, the default one also at the root. The longer form comes first. */
export const MOUNTS: readonly string[] = ['agents/:agent', ''];

const VARIABLE = /\{(\w+)(?:=\*)?\}/g;
const VARIABLE_BEFORE_VERB = /\{(\w+)(?:=\*)?\}(?=::)/g;

/**
 * A google.api.http template such as `/tasks/{id=*}:cancel` as a route of Nest.
 *
 * A literal colon is escaped in another way by each adapter, and a variable before one must be allowed to hold colons itself.
 */
export function formatRoutePath(template: string, adapter: HttpAdapterKind): string {
  const path = template.slice(1);
  return adapter === 'express'
    ? path.replace(/:/g, '\\:').replace(VARIABLE, ':$1')
    : path.replace(/:/g, '::').replace(VARIABLE_BEFORE_VERB, ':$1(^.+)').replace(VARIABLE, ':$1');
}

/** Names of the variables in a template, in order. */
export function routeVariables(template: string): string[] {
  return [...template.matchAll(VARIABLE)].map((match) => match[1] ?? '');
}

/** The literal that ends a template, such as `:cancel`; undefined without one. */
export function routeVerb(template: string): string | undefined {
  return /:[a-zA-Z]+$/.exec(template)?.[0];
}

/** Source of a regular expression for the raw paths of a template, for paths without trailing slash. */
export function routePattern(template: string): string {
  return template.replace(/\./g, '\\.').replace(VARIABLE, '[^/]+');
}
