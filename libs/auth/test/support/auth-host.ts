import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  A2aError,
  A2aLogger,
  AgentRegistry,
  Audit,
  CallAudit,
  CallAuthenticator,
  CallEntrance,
  type CallSeed,
  CardSecurity,
  Clock,
  LoggedAuditTrail,
  NoRateLimits,
  type HostedAgent,
  type IdentifiedCall,
  OutboundHttp,
  type OperationName,
  type Principal,
  type ServedWire,
  SkillAccess,
  WireRegistry,
} from '@a2a/a2a-core';
import { A2aAuthModule, type A2aAuthOptions, IdentityProviders, JwsCardSigner } from '../../src/index.js';
import { FakeClock } from './fake-clock.js';
import { ListedAgents } from './hosted-agents.js';
import { LoopbackHttp } from '../../../../test/support/loopback-http.js';
import { RecordingLogger } from './recording-logger.js';

/** What became of a call: the caller, or the error it got. */
export type Answer =
  { readonly principal: Principal; readonly error?: undefined } | { readonly error: A2aError; readonly principal?: undefined };

/** The module under test with the ports it needs and nothing else of a host: no wire, no engine. */
export class AuthHost {
  private constructor(
    private readonly module: TestingModule,
    readonly clock: FakeClock,
    readonly logger: RecordingLogger,
    readonly agents: ListedAgents,
    private readonly audit: CallAudit,
  ) {}

  static async start(
    options: A2aAuthOptions,
    agents: readonly HostedAgent[],
    extras: {
      readonly clock?: FakeClock;
      readonly http?: OutboundHttp;
      readonly providers?: Provider[];
      readonly module?: DynamicModule;
      readonly wires?: readonly ServedWire[];
    } = {},
  ): Promise<AuthHost> {
    const clock = extras.clock ?? new FakeClock();
    const logger = new RecordingLogger();
    const registry = new ListedAgents(agents);
    const wires = new WireRegistry();
    for (const wire of extras.wires ?? []) wires.add(wire);
    const audit = new Audit(new LoggedAuditTrail(logger), clock, logger);
    const ports = [
      { provide: Clock, useValue: clock },
      { provide: A2aLogger, useValue: logger },
      { provide: AgentRegistry, useValue: registry },
      { provide: Audit, useValue: audit },
      { provide: WireRegistry, useValue: wires },
      { provide: OutboundHttp, useValue: extras.http ?? new LoopbackHttp() },
    ];
    @Global()
    @Module({ providers: ports, exports: ports.map(({ provide }) => provide) })
    class Ports {}
    const builder = Test.createTestingModule({
      imports: [Ports, extras.module ?? A2aAuthModule.forRoot(options)],
      providers: extras.providers ?? [],
    });
    const module = await builder.compile();
    await module.init();
    return new AuthHost(module, clock, logger, registry, new CallAudit(audit, registry));
  }

  get authenticator(): CallAuthenticator {
    return this.module.get(CallAuthenticator, { strict: false });
  }

  get cards(): CardSecurity {
    return this.module.get(CardSecurity, { strict: false });
  }

  get skills(): SkillAccess {
    return this.module.get(SkillAccess, { strict: false });
  }

  get signer(): JwsCardSigner {
    return this.module.get(JwsCardSigner, { strict: false });
  }

  get providers(): IdentityProviders {
    return this.module.get(IdentityProviders, { strict: false });
  }

  agent(id: string): HostedAgent {
    const agent = this.agents.find(id);
    if (!agent) throw new Error(`No agent ${id}`);
    return agent;
  }

  identify(seed: Partial<CallSeed>): Promise<IdentifiedCall> {
    return new CallEntrance(this.authenticator, new NoRateLimits(), this.audit).enter(callSeed(seed));
  }

  /** Headers, then message: a whole call as far as identity goes. */
  async call(
    seed: Partial<CallSeed>,
    {
      agent,
      tenant = '',
      operation = 'GetTask',
      taskId,
    }: { agent?: string; tenant?: string; operation?: OperationName; taskId?: string } = {},
  ): Promise<Answer> {
    try {
      const call = await this.identify(seed);
      const target = agent === undefined ? this.agents.resolve(call, tenant).agent : this.agent(agent);
      return { principal: await this.authenticator.admit(call, target, tenant, operation, taskId) };
    } catch (error) {
      if (error instanceof A2aError) return { error };
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.module.close();
  }
}

/** A seed as a wire would make it; headers may be given as an object. */
export function callSeed(seed: Partial<CallSeed> = {}): CallSeed {
  return {
    binding: 'HTTP+JSON',
    headers: new Map(),
    query: seed.binding === 'GRPC' ? undefined : new Map(),
    remoteAddress: '203.0.113.7',
    signal: new AbortController().signal,
    ...seed,
  };
}

export function headers(values: Record<string, string>): Pick<CallSeed, 'headers'> {
  return { headers: new Map(Object.entries(values)) };
}

export function bearer(token: string): Pick<CallSeed, 'headers'> {
  return headers({ authorization: `Bearer ${token}` });
}
