import { Controller, Get, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { answerHeaders } from '../http/answer-headers.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { RestExceptionFilter } from '../rest/rest.exception-filter.js';
import { Catalog } from './catalog.js';
import { FRONT_PAGE_POLICY, formatFrontPage } from './front-page.js';

/** `GET /`: what this host is, for somebody who opens it in a browser. */
@Controller({ path: '', version: VERSION_NEUTRAL })
@UseFilters(RestExceptionFilter)
export class FrontPageController {
  constructor(private readonly catalog: Catalog) {}

  @Get()
  page(@Req() request: AdapterRequest, @Res() response: AdapterResponse): void {
    const headers = {
      ...answerHeaders('text/html; charset=utf-8'),
      'content-security-policy': FRONT_PAGE_POLICY,
      'referrer-policy': 'no-referrer',
    };
    HttpExchange.of(request, response).send(200, headers, formatFrontPage(this.catalog.search()));
  }
}
