import { type A2aLogger } from '@a2a/a2a-core';

/** A server whose TLS files can be read again. */
export interface ReloadsTls {
  /** @throws when they cannot be served from */
  reloadTls(): void;
}

/**
 * Reads certificates, keys and authorities again on SIGHUP, as whoever renews certificates expects. Connections that are open stay as they
 * are. Files that cannot be used are told of in the log, and what was served before goes on.
 */
export function reloadTlsOnHangUp(servers: readonly ReloadsTls[], logger: A2aLogger): void {
  process.on('SIGHUP', () => {
    try {
      for (const server of servers) server.reloadTls();
      logger.info('TLS files were read again');
    } catch (error) {
      logger.error('TLS files cannot be used; the former ones stay in force', { error });
    }
  });
}
