import { Injectable } from '@nestjs/common';
import { OPERATIONS } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { routePattern, routeVerb } from '../http-adapters/route-path.js';

/** In whose shape an address speaks of errors. */
export type ErrorShape = 'JSONRPC' | 'HTTP+JSON';

/** An address and the methods that work there. */
interface Endpoint {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly shape: ErrorShape;
  /** The address ends in a verb such as `:cancel`. */
  readonly hasVerb: boolean;
  /** A document that every page may read. */
  readonly isPublic?: boolean;
}

/** Templates of the JSON-RPC endpoint; the last one is the agent's base itself, for clients that post to it. */
export const RPC_PATHS: readonly string[] = ['/rpc', '/rpc/{tenant}', '/'];
export const CARD_PATH = '/.well-known/agent-card.json';
export const WEBHOOK_KEYS_PATH = '/.well-known/webhook-keys.json';
export const CATALOG_PATH = '/agents';

/** Everything below these belongs to the bindings, also what leads nowhere. */
const OWN_GROUND = /^\/(?:(?:agents|tasks|rpc|extendedAgentCard)(?:\/|$)|message(?::|%3A))/i;

/** Every address the HTTP wires answer at: what to do with a request that no route of Nest took. */
@Injectable()
export class HttpEndpoints {
  readonly #endpoints: readonly Endpoint[];
  readonly #any: RegExp;

  constructor(private readonly settings: HttpSettings) {
    this.#endpoints = listEndpoints(settings);
    // No route answers in another letter case. What looks like an address of ours is refused in our shape all the same.
    this.#any = new RegExp(this.#endpoints.map(({ pattern }) => pattern.source).join('|'), 'i');
  }

  /** An operation, card or page lives here, for some method. */
  has(path: string): boolean {
    const local = this.#local(path);
    return local !== undefined && this.#any.test(local);
  }

  /** Requests for this path are ours to answer, if only with 404. */
  owns(path: string): boolean {
    const local = this.#local(path);
    return local !== undefined && (OWN_GROUND.test(local) || this.#any.test(local));
  }

  /** Which agent a path below `/agents` means; undefined for other paths and for text that cannot be decoded. */
  mountAt(path: string): string | undefined {
    const mount = /^\/agents\/([^/]+)/.exec(this.#local(path) ?? '')?.[1];
    try {
      return mount && decodeURIComponent(mount);
    } catch {
      return undefined;
    }
  }

  /** Methods that work at a path, for `Allow`; empty where nothing is. */
  methodsAt(path: string): string[] {
    return [...new Set(this.#at(path).flatMap(({ methods }) => methods))];
  }

  /** A document lives here that pages of every origin may read: a card, the webhook keys, the catalog. */
  isPublic(path: string): boolean {
    return this.#at(path).some(({ isPublic }) => isPublic);
  }

  shapeAt(path: string): ErrorShape {
    const found = this.#at(path);
    return found.length > 0 && found.every(({ shape }) => shape === 'JSONRPC') ? 'JSONRPC' : 'HTTP+JSON';
  }

  #at(path: string): Endpoint[] {
    const local = this.#local(path);
    if (local === undefined) return [];
    const matching = this.#endpoints.filter(({ pattern }) => pattern.test(local));
    // `/tasks/{id}` matches `/tasks/1:subscribe` as well, but does not mean it.
    const withVerb = matching.filter(({ hasVerb }) => hasVerb);
    return withVerb.length > 0 ? withVerb : matching;
  }

  #local(path: string): string | undefined {
    const { pathPrefix } = this.settings;
    return path.startsWith(pathPrefix) ? path.slice(pathPrefix.length) || '/' : undefined;
  }
}

function listEndpoints({ frontPage, jsonRpc, rest }: HttpSettings): Endpoint[] {
  const endpoints: Endpoint[] = [
    { ...everywhere(CARD_PATH, ['GET', 'HEAD'], 'HTTP+JSON'), isPublic: true },
    { ...atRoot(WEBHOOK_KEYS_PATH, ['GET', 'HEAD'], 'HTTP+JSON'), isPublic: true },
    { ...atRoot(CATALOG_PATH, ['GET', 'HEAD'], 'HTTP+JSON'), isPublic: true },
  ];
  if (frontPage) endpoints.push(atRoot('/', ['GET', 'HEAD'], 'HTTP+JSON'));
  if (jsonRpc) endpoints.push(...RPC_PATHS.map((path) => everywhere(path, ['POST'], 'JSONRPC')));
  if (rest) {
    for (const { routes, streaming } of OPERATIONS) {
      for (const { path, verb } of routes) {
        endpoints.push(everywhere(path, verb === 'GET' && !streaming ? ['GET', 'HEAD'] : [verb], 'HTTP+JSON'));
      }
    }
  }
  return endpoints;
}

function everywhere(template: string, methods: readonly string[], shape: ErrorShape): Endpoint {
  const path = template === '/' ? '' : routePattern(template);
  return { pattern: new RegExp(`^(?:/agents/[^/]+)?${path}/?$`), methods, shape, hasVerb: routeVerb(template) !== undefined };
}

function atRoot(template: string, methods: readonly string[], shape: ErrorShape): Endpoint {
  return { pattern: new RegExp(`^${template === '/' ? '' : template}/?$`), methods, shape, hasVerb: false };
}
