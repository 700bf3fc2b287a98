import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { prepareExpress, catchUnroutedOnExpress, type ExpressInstance } from './express.setup.js';
import { checkFastify, type FastifyRoot, prepareFastify } from './fastify.setup.js';
import { HttpEndpoints } from '../http/http-endpoints.js';
import { UnroutedRequests } from './unrouted-requests.js';

/**
 * Makes an HTTP adapter leave our requests to us: bodies unread, unknown paths unanswered. Everybody else's requests stay as they were,
 * but that letter case counts in their paths on Express too.
 *
 * Does nothing in an application without HTTP.
 */
@Injectable()
export class HttpAdapterSetup {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    private readonly settings: HttpSettings,
    private readonly endpoints: HttpEndpoints,
    private readonly unrouted: UnroutedRequests,
  ) {
    // As soon as there is an adapter: the body parsers of the application must come later.
    host.init$.subscribe(() => this.#prepare());
  }

  /** @throws {Error} with the next step, when the application's adapter is not the one that the routes are written for */
  check(): void {
    const { httpAdapter } = this.host;
    if (!httpAdapter) return;
    const kind = httpAdapter.getType();
    if (kind !== this.settings.httpAdapter) {
      throw new Error(
        `A2aBindingsModule: the application runs on ${kind}, but its routes are spelled for ${this.settings.httpAdapter}. ` +
          `Set A2aBindingsModule.forRoot({ httpAdapter: '${kind}' })`,
      );
    }
    if (kind === 'fastify') checkFastify(httpAdapter.getInstance<FastifyRoot>());
  }

  /** Once all routes are known and before the adapter's own 404. */
  catchUnrouted(): void {
    if (this.host.httpAdapter?.getType() === 'express') {
      catchUnroutedOnExpress(this.host.httpAdapter.getInstance<ExpressInstance>(), this.unrouted);
    }
  }

  #prepare(): void {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() === 'express') prepareExpress(httpAdapter.getInstance<ExpressInstance>(), this.endpoints);
    if (httpAdapter?.getType() === 'fastify') prepareFastify(httpAdapter.getInstance<FastifyRoot>(), this.endpoints, this.unrouted);
  }
}
