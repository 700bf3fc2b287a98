import { readFileSync } from 'node:fs';
import { experimental, ServerCredentials } from '@grpc/grpc-js';
import { type GrpcTlsOptions } from './grpc.options.js';

/**
 * The TLS side of a gRPC server, from files that can be read again while it serves.
 *
 * grpc-js's own `createSsl` can neither change certificates nor ask for one without insisting, so that agents with and without mutual TLS
 * could not share a port. Its certificate providers, experimental in name, can do both.
 */
export class GrpcCredentials {
  readonly server: ServerCredentials;
  readonly #tls?: GrpcTlsOptions;
  readonly #identity = new Told<experimental.IdentityCertificateUpdate>();
  readonly #authorities = new Told<experimental.CaCertificateUpdate>();

  /** @throws when a file cannot be read */
  constructor(tls: GrpcTlsOptions | undefined) {
    this.#tls = tls;
    if (!tls) {
      this.server = ServerCredentials.createInsecure();
      return;
    }
    this.reload();
    const { clientCaFile, clientCertificates = 'required' } = tls;
    this.server = experimental.createCertificateProviderServerCredentials(
      this.#provider(),
      clientCaFile === undefined ? null : this.#provider(),
      clientCertificates === 'required',
    );
  }

  /**
   * Reads the files again; connections made from now on see what they hold.
   *
   * @throws when a file cannot be read; everything stays as it was then
   */
  reload(): void {
    if (!this.#tls) return;
    const { certFile, keyFile, clientCaFile } = this.#tls;
    const [certificate, privateKey] = [readFileSync(certFile), readFileSync(keyFile)];
    const caCertificate = clientCaFile === undefined ? undefined : readFileSync(clientCaFile);
    this.#identity.tell({ certificate, privateKey });
    if (caCertificate) this.#authorities.tell({ caCertificate });
  }

  #provider(): experimental.CertificateProvider {
    return {
      addIdentityCertificateListener: (listener) => this.#identity.add(listener),
      removeIdentityCertificateListener: (listener) => this.#identity.remove(listener),
      addCaCertificateListener: (listener) => this.#authorities.add(listener),
      removeCaCertificateListener: (listener) => this.#authorities.remove(listener),
    };
  }
}

/** A value that changes, and those who want to know. */
class Told<T> {
  readonly #listeners = new Set<(value: T) => void>();
  #latest?: T;

  /** The listener hears of the present value a moment later: grpc-js listens to it only once it has been added. */
  add(listener: (value: T) => void): void {
    this.#listeners.add(listener);
    process.nextTick(() => {
      if (this.#latest && this.#listeners.has(listener)) listener(this.#latest);
    });
  }

  remove(listener: (value: T) => void): void {
    this.#listeners.delete(listener);
  }

  tell(value: T): void {
    this.#latest = value;
    for (const listener of this.#listeners) listener(value);
  }
}
