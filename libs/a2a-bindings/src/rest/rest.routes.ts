import { Reflector } from '@nestjs/core';
import { type HttpRoute, type Operation, type OperationName, OPERATIONS } from '@a2a/a2a-core';
import { routeVariables, routeVerb } from '../http-adapters/route-path.js';

/** One annotated way to reach an operation. */
export interface RestRoute extends HttpRoute {
  readonly operation: Operation;
}

/**
 * Every route of the proto's annotations (A2A §11.3), in the order in which a router that takes the first match must try them:
 * `/tasks/{id}` would take `/tasks/1:subscribe` for itself.
 */
export const REST_ROUTES: readonly RestRoute[] = OPERATIONS.flatMap((operation) =>
  operation.routes.map((route) => ({ ...route, operation })),
).toSorted((a, b) => rank(a) - rank(b));

/** On the method of a route: what it does. */
export const ServesOperation = Reflector.createDecorator<OperationName>();

function rank({ path }: HttpRoute): number {
  return (routeVerb(path) ? 0 : 100) + routeVariables(path).length;
}

/** The route of the same method for the path without its verb, if there is one. */
export function routeWithoutVerb({ path, verb }: RestRoute): RestRoute | undefined {
  const plain = path.slice(0, -(routeVerb(path)?.length ?? 0));
  return REST_ROUTES.find((route) => route.path === plain && route.verb === verb);
}
