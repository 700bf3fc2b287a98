import { type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  A2A_CORE_OPTIONS,
  A2aLogger,
  AgentRegistry,
  AnonymousAuthenticator,
  Audit,
  AuditTrail,
  CallAudit,
  CallAuthenticator,
  CallEntrance,
  CallLog,
  Clock,
  LoggedAuditTrail,
  NoRateLimits,
  RateLimits,
  RequestHandler,
  SystemClock,
  WireRegistry,
} from '@a2a/a2a-core';
import { type A2aGrpcOptions, connectA2aGrpc, ErrorReporter, GRPC_BINDING, type GrpcTransport, StreamRegistry } from '@a2a/a2a-bindings';
import { ScriptedRequests } from './scripted.requests.js';

/** Keeps what was logged. */
export class KeptLog extends A2aLogger {
  readonly errors: { message: string; facts: Record<string, unknown> }[] = [];

  readonly warnings: { message: string; facts: Record<string, unknown> }[] = [];

  debug(): void {}
  info(): void {}
  warn(message: string, facts: Record<string, unknown> = {}): void {
    this.warnings.push({ message, facts });
  }
  error(message: string, facts: Record<string, unknown> = {}): void {
    this.errors.push({ message, facts });
  }
}

/** An application that serves scripted operations over gRPC on a free port. */
export interface GrpcHost {
  readonly app: INestApplication;
  readonly requests: ScriptedRequests;
  readonly log: KeptLog;
  readonly transport: GrpcTransport;
  readonly address: string;
  close(): Promise<void>;
}

export interface GrpcHostParts extends Pick<ModuleMetadata, 'providers'> {
  readonly authenticator?: CallAuthenticator;
  readonly options?: Partial<A2aGrpcOptions>;
}

export async function startGrpcHost({ authenticator, options, providers = [] }: GrpcHostParts = {}): Promise<GrpcHost> {
  const requests = new ScriptedRequests();
  const log = new KeptLog();
  const module = await Test.createTestingModule({
    controllers: GRPC_BINDING.controllers,
    providers: [
      ...GRPC_BINDING.providers,
      ErrorReporter,
      StreamRegistry,
      WireRegistry,
      { provide: RequestHandler, useValue: requests },
      { provide: CallAuthenticator, useValue: authenticator ?? new AnonymousAuthenticator() },
      CallEntrance,
      CallLog,
      CallAudit,
      Audit,
      { provide: AuditTrail, useClass: LoggedAuditTrail },
      { provide: Clock, useClass: SystemClock },
      { provide: RateLimits, useClass: NoRateLimits },
      { provide: AgentRegistry, useValue: { agents: [] } },
      { provide: A2aLogger, useValue: log },
      { provide: A2A_CORE_OPTIONS, useValue: { publicUrl: 'https://agents.example.com' } },
      ...providers,
    ],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  const transport = connectA2aGrpc(app, { url: '127.0.0.1:0', ...options });
  await app.init();
  await app.startAllMicroservices();
  return { app, requests, log, transport, address: `127.0.0.1:${transport.port}`, close: () => app.close() };
}
