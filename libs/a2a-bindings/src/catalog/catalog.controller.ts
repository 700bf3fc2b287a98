import { Controller, Get, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { InvalidParamsError } from '@a2a/a2a-core';
import { answerHeaders } from '../http/answer-headers.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { RestExceptionFilter } from '../rest/rest.exception-filter.js';
import { Catalog } from './catalog.js';
import { type CatalogSearch } from './catalog-search.js';

const CONDITIONS = ['skill', 'tag', 'mediaType', 'q'] as const;
const MAX_CONDITION_LENGTH = 256;

/** `GET /agents`: which agents live here, searched with `?skill=`, `?tag=`, `?mediaType=` and `?q=`. */
@Controller({ path: 'agents', version: VERSION_NEUTRAL })
@UseFilters(RestExceptionFilter)
export class CatalogController {
  constructor(private readonly catalog: Catalog) {}

  @Get()
  list(@Req() request: AdapterRequest, @Res() response: AdapterResponse): void {
    const exchange = HttpExchange.of(request, response);
    const body = JSON.stringify({ agents: this.catalog.search(readSearch(exchange.query)) });
    exchange.send(200, { ...answerHeaders('application/json'), 'access-control-allow-origin': '*' }, body);
  }
}

function readSearch(query: string): CatalogSearch {
  const parameters = new URLSearchParams(query);
  const search: { -readonly [Name in keyof CatalogSearch]: string } = {};
  for (const name of CONDITIONS) {
    const value = parameters.get(name)?.trim();
    if (!value) continue;
    if (value.length > MAX_CONDITION_LENGTH) throw InvalidParamsError.of(name, `at most ${MAX_CONDITION_LENGTH} characters`);
    search[name] = value;
  }
  return search;
}
