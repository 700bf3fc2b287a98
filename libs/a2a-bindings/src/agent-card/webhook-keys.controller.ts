import { Controller, Get, Optional, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { A2aError, WebhookKeys } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { WEBHOOK_KEYS_PATH } from '../http/http-endpoints.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { RestExceptionFilter } from '../rest/rest.exception-filter.js';

/** Keys are public, and readable by a page from anywhere. */
const PUBLIC = {
  'content-type': 'application/jwk-set+json',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
} as const;

/** The public keys with which the webhooks of this host are signed (RFC 7517), for their receivers. */
@Controller({ version: VERSION_NEUTRAL })
@UseFilters(RestExceptionFilter)
export class WebhookKeysController {
  constructor(
    private readonly settings: HttpSettings,
    @Optional() private readonly keys?: WebhookKeys,
  ) {}

  @Get(WEBHOOK_KEYS_PATH)
  keySet(@Req() request: AdapterRequest, @Res() response: AdapterResponse): void {
    if (!this.keys) throw new A2aError('ROUTE_NOT_FOUND', 'This host sends no webhooks');
    const headers = { ...PUBLIC, 'cache-control': `public, max-age=${this.settings.cardMaxAgeSeconds}` };
    HttpExchange.of(request, response).send(200, headers, JSON.stringify(this.keys.jwks));
  }
}
