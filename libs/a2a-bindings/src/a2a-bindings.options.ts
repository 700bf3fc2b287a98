import { type HttpAdapterKind } from './http-adapters/route-path.js';

/** Which wires to serve, and how. Everything has a default that suits an ordinary host. */
export interface A2aBindingsOptions {
  /** Default true. */
  readonly jsonRpc?: boolean;
  /** HTTP+JSON. Default true. */
  readonly rest?: boolean;
  /** The adapter that the application is created with: they spell routes differently. Default `express`. */
  readonly httpAdapter?: HttpAdapterKind;
  /** What `app.setGlobalPrefix` was given, if anything; `publicUrl` must end in it too. Default none. */
  readonly pathPrefix?: string;
  /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` counts. Default none: the header is ignored. */
  readonly trustedProxies?: readonly string[];
  /** Lets browsers of other origins use the operations. Default off; cards are readable from everywhere regardless. */
  readonly cors?: CorsOptions;
  /** The page for people at `/`. Default true. */
  readonly frontPage?: boolean;
  /** How long caches may keep a card. Seconds, default 300. */
  readonly cardMaxAgeSeconds?: number;
  readonly limits?: Partial<HttpLimits>;
}

/** Whose pages may call the operations from a browser. Public documents are open to every origin. */
export interface CorsOptions {
  /** Exact origins such as `https://console.example.com`, or `*` for all. */
  readonly origins: readonly string[] | '*';
  /** How long a browser may keep a preflight answer. Seconds, default 600. */
  readonly maxAgeSeconds?: number;
}

/** Sizes and times of one HTTP exchange. */
export interface HttpLimits {
  /** Bytes of a request body, for agents that set no `requestBytes` of their own; more is 413. Default 1 048 576. */
  readonly bodyBytes: number;
  /** Time to receive a body; longer is 408. Milliseconds, default 30 000. */
  readonly bodyTimeoutMs: number;
  /** Nesting of a JSON body. Default 64. */
  readonly jsonDepth: number;
  /** Values in a JSON body. Default 20 000. */
  readonly jsonNodes: number;
  /** Open event streams of this process; more is 429. Default 2 000. */
  readonly openStreams: number;
  /** Silence after which a stream gets a comment, so that proxies keep it; counted from what was sent last. Milliseconds, default 15 000. */
  readonly keepAliveMs: number;
  /** A stream whose reader takes nothing for so long is dropped. Milliseconds, default 30 000. */
  readonly stalledReaderMs: number;
  /** A stream ends after so long; its reader subscribes again. Milliseconds, default 3 600 000. */
  readonly streamAgeMs: number;
}

/** What holds where the host says nothing else. An agent with `requestBytes` of its own replaces `bodyBytes`. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 1_048_576,
  bodyTimeoutMs: 30_000,
  jsonDepth: 64,
  jsonNodes: 20_000,
  openStreams: 2_000,
  keepAliveMs: 15_000,
  stalledReaderMs: 30_000,
  streamAgeMs: 3_600_000,
};

/** The options with their defaults filled in, for injection. */
export class HttpSettings {
  readonly jsonRpc: boolean;
  readonly rest: boolean;
  readonly httpAdapter: HttpAdapterKind;
  readonly pathPrefix: string;
  readonly trustedProxies: readonly string[];
  readonly cors?: CorsOptions;
  readonly frontPage: boolean;
  readonly cardMaxAgeSeconds: number;
  readonly limits: HttpLimits;

  constructor(options: A2aBindingsOptions = {}) {
    this.jsonRpc = options.jsonRpc ?? true;
    this.rest = options.rest ?? true;
    this.httpAdapter = options.httpAdapter ?? 'express';
    this.pathPrefix = options.pathPrefix ? `/${options.pathPrefix.replace(/^\/+|\/+$/g, '')}` : '';
    this.trustedProxies = options.trustedProxies ?? [];
    this.cors = options.cors;
    this.frontPage = options.frontPage ?? true;
    this.cardMaxAgeSeconds = options.cardMaxAgeSeconds ?? 300;
    this.limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  }
}
