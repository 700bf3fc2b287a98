import { ConfigurableModuleBuilder, type DynamicModule, type Provider } from '@nestjs/common';
import { type A2aCoreOptions } from './a2a-core.options.js';
import { OpenCardSecurity, CardSecurity } from './cards/card-security.js';
import { AgentCardSigner, UnsignedCards } from './cards/agent-card.signer.js';
import { OpenSkillAccess, SkillAccess } from './agents/skill-access.js';
import { AnonymousAuthenticator, CallAuthenticator } from './call/call-authenticator.js';
import { NoRateLimits, RateLimits } from './limits/rate-limits.js';
import { InMemoryStoreModule } from './tasks/in-memory-store.module.js';

/** The modules that fill the core's ports. They stand beside the options, in `forRoot` and `forRootAsync` alike. */
export interface A2aCoreExtras {
  /** Exports TaskRepository and StateStore. Default: everything in memory, gone with the process. */
  readonly store?: DynamicModule;
  /** Exports CallAuthenticator, CardSecurity, SkillAccess and AgentCardSigner. Default: everybody is one anonymous caller. */
  readonly auth?: DynamicModule;
  /** Exports PushNotifications. Default: no agent has push notifications. */
  readonly push?: DynamicModule;
  /** Exports RateLimits. Default: callers may call as often as they like. */
  readonly rates?: DynamicModule;
  /** Providers in place of the core's own: A2aLogger, AuditTrail, Clock, SkillSelector, TaskEventBus, ExtendedAgentCards. */
  readonly overrides?: Provider[];
}

const OPEN_HOST: Provider[] = [
  { provide: CallAuthenticator, useClass: AnonymousAuthenticator },
  { provide: CardSecurity, useClass: OpenCardSecurity },
  { provide: SkillAccess, useClass: OpenSkillAccess },
  { provide: AgentCardSigner, useClass: UnsignedCards },
];
const UNLIMITED: Provider = { provide: RateLimits, useClass: NoRateLimits };
const OPEN_HOST_PORTS = [CallAuthenticator, CardSecurity, SkillAccess, AgentCardSigner];

export const {
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN: A2A_CORE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<A2aCoreOptions>()
  .setClassMethodName('forRoot')
  .setExtras<A2aCoreExtras>({}, (definition, { store, auth, push, rates, overrides = [] }) => {
    const modules = [store ?? { module: InMemoryStoreModule }, ...(auth ? [auth] : []), ...(push ? [push] : []), ...(rates ? [rates] : [])];
    return {
      ...definition,
      global: true,
      imports: [...(definition.imports ?? []), ...modules],
      providers: [...(definition.providers ?? []), ...(auth ? [] : OPEN_HOST), ...(rates ? [] : [UNLIMITED]), ...overrides],
      exports: [...(definition.exports ?? []), ...(auth ? [] : OPEN_HOST_PORTS), ...(rates ? [] : [RateLimits]), ...modules],
    };
  })
  .build();
