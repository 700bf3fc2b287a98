import { type CorsOptions } from '../a2a-bindings.options.js';
import { type HttpExchange } from './http-exchange.js';

const ALLOWED_HEADERS = 'A2A-Version, A2A-Extensions, Last-Event-ID, A2A-Anonymous-Session, Authorization, Content-Type';
const EXPOSED_HEADERS = 'A2A-Version, A2A-Extensions, WWW-Authenticate, Retry-After';

/** Lets browsers of configured origins call the operations; without configuration it does nothing. */
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
    exchange.headers['access-control-allow-methods'] = methods;
    exchange.headers['access-control-allow-headers'] = ALLOWED_HEADERS;
    exchange.headers['access-control-max-age'] = String(this.options?.maxAgeSeconds ?? 600);
  }

  #allows(origin: string): boolean {
    return this.options?.origins === '*' || this.options?.origins.includes(origin) === true;
  }
}
