import { type OutgoingHttpHeaders } from 'node:http';
import { type CorsOptions } from '../a2a-bindings.options.js';
import { type HttpExchange } from './http-exchange.js';

const ALLOWED_HEADERS = 'A2A-Version, A2A-Extensions, Last-Event-ID, A2A-Anonymous-Session, Authorization, Content-Type';
const READING_HEADERS = `${ALLOWED_HEADERS}, If-None-Match, If-Modified-Since`;
const EXPOSED_HEADERS = 'A2A-Version, A2A-Extensions, WWW-Authenticate, Retry-After';

/** Lets pages of configured origins call the operations, and pages of any origin ask for public documents. */
export class Cors {
  constructor(private readonly options: CorsOptions | undefined) {}

  /** Adds what a browser needs to read any answer of this exchange. */
  allow(exchange: HttpExchange): void {
    const origin = exchange.request.headers.origin;
    if (!this.options || origin === undefined || !this.#allows(origin)) return;
    exchange.headers = {
      ...exchange.headers,
      'access-control-allow-origin': this.options.origins === '*' ? '*' : origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: 'Origin',
    };
  }

  /** As `allow`, for the question a browser asks beforehand. */
  allowPreflight(exchange: HttpExchange, methods: string): void {
    this.allow(exchange);
    if (exchange.headers['access-control-allow-origin'] === undefined) return;
    exchange.headers = { ...exchange.headers, ...this.#preflight(methods, ALLOWED_HEADERS) };
  }

  /** As `allowPreflight`, for documents that everybody may read: whatever is configured, since a page can already fetch them plainly. */
  allowReading(exchange: HttpExchange, methods: string): void {
    exchange.headers = { ...exchange.headers, 'access-control-allow-origin': '*', ...this.#preflight(methods, READING_HEADERS) };
  }

  #preflight(methods: string, headers: string): OutgoingHttpHeaders {
    return {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers,
      'access-control-max-age': String(this.options?.maxAgeSeconds ?? 600),
    };
  }

  #allows(origin: string): boolean {
    return this.options?.origins === '*' || this.options?.origins.includes(origin) === true;
  }
}
