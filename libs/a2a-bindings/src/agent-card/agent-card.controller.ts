import { Controller, Get, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { A2aError, AgentCardService, AgentRegistry, type ServedCard } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { CARD_PATH } from '../http/http-endpoints.js';
import { MOUNTS } from '../http-adapters/route-path.js';
import { RestExceptionFilter } from '../rest/rest.exception-filter.js';
import { isFresh } from './conditional-request.js';

/** A card is public, and readable by a page from anywhere. */
const PUBLIC = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Last-Modified',
} as const;

/**
 * Public cards (A2A §8.2, §8.6), open to everybody and in every version of the protocol.
 *
 * The bytes depend on configuration alone: no header of a request shapes them, so no cache can be made to hold a wrong one.
 */
@Controller({ path: [...MOUNTS], version: VERSION_NEUTRAL })
@UseFilters(RestExceptionFilter)
export class AgentCardController {
  constructor(
    private readonly agents: AgentRegistry,
    private readonly cards: AgentCardService,
    private readonly settings: HttpSettings,
  ) {}

  @Get(CARD_PATH)
  card(@Req() request: AdapterRequest, @Res() response: AdapterResponse): void {
    const exchange = HttpExchange.of(request, response);
    const card = this.#find(exchange.params.agent);
    const headers = {
      ...PUBLIC,
      etag: card.etag,
      'last-modified': card.lastModified.toUTCString(),
      'cache-control': `public, max-age=${this.settings.cardMaxAgeSeconds}`,
    };
    if (isFresh(exchange.request.headers, card)) exchange.sendNotModified(headers);
    else exchange.send(200, headers, card.body);
  }

  #find(mount: string | undefined): ServedCard {
    const agent = mount === undefined ? this.agents.defaultAgent : this.agents.find(mount);
    if (!agent) throw new A2aError('ROUTE_NOT_FOUND', 'No such agent');
    return this.cards.publicCard(agent, mount === undefined);
  }
}
