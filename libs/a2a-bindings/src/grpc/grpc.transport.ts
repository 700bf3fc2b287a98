import { promisify } from 'node:util';
import { type ChannelOptions, Server } from '@grpc/grpc-js';
import { ServerGrpc } from '@nestjs/microservices';
import { HealthImplementation } from 'grpc-health-check';
import { A2AService } from '@a2a/a2a-core';
import { type StreamRegistry } from '../streams/stream-registry.js';
import { type GrpcCallGate } from './grpc.call-gate.js';
import { a2aPackageDefinition } from './grpc.codec.js';
import { GrpcCredentials } from './grpc.credentials.js';
import { type GrpcSettings } from './grpc.options.js';
import { addReflection } from './grpc.reflection.js';

/**
 * Nest's gRPC server with what A2A needs around it: the call gate, limits, TLS, health and reflection.
 *
 * A subclass, because Nest's options alone say neither which port was bound nor when to stop waiting for calls at shutdown.
 */
export class GrpcTransport extends ServerGrpc {
  readonly #settings: GrpcSettings;
  readonly #gate: GrpcCallGate;
  readonly #health = new HealthImplementation({ '': 'SERVING', [A2AService.typeName]: 'SERVING' });
  #port?: number;
  #credentials?: GrpcCredentials;

  constructor(settings: GrpcSettings, gate: GrpcCallGate, streams: StreamRegistry) {
    super({ url: settings.url, package: A2AService.file.proto.package, packageDefinition: a2aPackageDefinition(settings) });
    this.#settings = settings;
    this.#gate = gate;
    streams.onClosing(() => this.#stopServing());
  }

  /** The port listened on; undefined before the server listens. */
  get port(): number | undefined {
    return this.#port;
  }

  override createClient(): Promise<Server> {
    const server = new Server({ ...channelOptions(this.#settings), interceptors: [this.#gate.interceptor(this.#settings)] });
    this.#health.addToServer(server);
    if (this.#settings.reflection) addReflection(server);
    return Promise.resolve(server);
  }

  /** Unlike Nest, binds the port last: a call never meets a server without methods. */
  override async start(callback?: () => void): Promise<void> {
    await this.bindEvents();
    const server = this.grpcClient as Server;
    this.#credentials = new GrpcCredentials(this.#settings.tls);
    this.#port = await promisify(server.bindAsync.bind(server))(this.url, this.#credentials.server);
    callback?.();
  }

  /**
   * Reads the TLS files again; connections made from now on see what they hold. Does nothing without TLS.
   *
   * @throws when a file cannot be read; everything stays as it was then
   */
  reloadTls(): void {
    this.#credentials?.reload();
  }

  /** Waits for open calls, though not for ever. */
  override async close(): Promise<void> {
    const server = this.grpcClient as Server | null;
    if (!server) return;
    this.grpcClient = null;
    // Not forceShutdown(): grpc-js finds open connections through its statistics, which are off.
    if (this.#port) server.drain(this.url.replace(/\d+$/, String(this.#port)), this.#settings.shutdownGraceMs);
    await promisify(server.tryShutdown.bind(server))();
  }

  #stopServing(): void {
    this.#health.setStatus('', 'NOT_SERVING');
    this.#health.setStatus(A2AService.typeName, 'NOT_SERVING');
  }
}

function channelOptions(settings: GrpcSettings): ChannelOptions {
  return {
    'grpc.max_receive_message_length': settings.largestMessageBytes,
    'grpc.max_concurrent_streams': settings.maxConcurrentStreams,
    'grpc.max_connection_age_ms': settings.maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': settings.maxConnectionAgeGraceMs,
    'grpc.keepalive_time_ms': settings.keepaliveTimeMs,
    'grpc.keepalive_timeout_ms': settings.keepaliveTimeoutMs,
    // Statistics that nothing here shows.
    'grpc.enable_channelz': 0,
  };
}
