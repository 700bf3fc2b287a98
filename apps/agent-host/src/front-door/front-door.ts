import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type FrontDoorConfig } from './front-door.config.js';
import { HostAllowList } from './host.allow-list.js';
import { setSecurityHeaders } from './security-headers.js';
import { HANDSHAKE_TIMEOUT_MS, SERVER_LIMITS } from './server-limits.js';
import { readTls } from './tls.files.js';

/**
 * What every HTTP request meets before Nest and its adapter: TLS, the limits of the server, the names it answers to, and the headers that
 * every answer has. The same whichever adapter is behind it.
 */
export class FrontDoor {
  readonly #names: HostAllowList;
  #server?: HttpsServer;

  /** @param isHttps clients reach this host over https, through a proxy or directly */
  constructor(
    private readonly config: FrontDoorConfig = {},
    private readonly isHttps = config.tls !== undefined,
    private readonly limits: ServerOptions = SERVER_LIMITS,
  ) {
    this.#names = new HostAllowList(config.allowedHosts);
  }

  /** The server below an adapter. Node takes most limits only while a server is made. */
  makeServer(handle: RequestListener): Server {
    const listener: RequestListener = (request, response) => {
      setSecurityHeaders(response, this.isHttps);
      if (this.#names.allows(request)) handle(request, response);
      else this.#names.refuse(response);
    };
    const { tls } = this.config;
    if (!tls) return createHttpServer(this.limits, listener);
    // A certificate is welcome and never insisted on: whether one is needed is for each agent to say.
    const client = { requestCert: tls.caFile !== undefined, rejectUnauthorized: false };
    this.#server = createHttpsServer({ ...this.limits, ...readTls(tls), ...client, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, listener);
    return this.#server;
  }

  /**
   * Reads the TLS files again; connections made from now on see what they hold. Does nothing without TLS.
   *
   * @throws when they cannot be served from; everything stays as it was then
   */
  reloadTls(): void {
    if (this.config.tls) this.#server?.setSecureContext(readTls(this.config.tls));
  }
}
