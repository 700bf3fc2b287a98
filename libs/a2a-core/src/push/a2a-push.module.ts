import { ConfigurableModuleBuilder, Inject, Module, type OnApplicationBootstrap, type Provider, type Type } from '@nestjs/common';
import { AgentRegistry } from '../agents/agent-registry.js';
import { Audit } from '../audit/audit.js';
import { Clock } from '../clock.js';
import { A2aLogger } from '../logging.js';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { TaskEventBus } from '../tasks/task-event-bus.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { hostKeys } from './secrets/host-keys.js';
import { PushConfigRepository } from './configs/push-config.repository.js';
import { PushNotificationDispatcher } from './delivery/push-notification.dispatcher.js';
import { PushNotificationSender } from './delivery/push-notification.sender.js';
import { PushNotifications } from './configs/push-notifications.js';
import { PushOperations } from './push-operations.js';
import { type A2aPushOptions, pushSettings } from './push.options.js';
import { type PumpServices } from './delivery/pump.services.js';
import { RetryPolicy } from './delivery/retry-policy.js';
import { SecretSeal } from './secrets/secret-seal.js';
import { StoredPushNotifications } from './configs/stored-push-notifications.js';
import { TargetGate } from './delivery/target.gate.js';
import { LastingWebhookAccess, WebhookAccess } from './delivery/webhook-access.js';
import { WebhookKeys, WebhookSigner } from './secrets/webhook-signer.js';

/** What stands beside the options, in `forRoot` and `forRootAsync` alike. */
export interface A2aPushExtras {
  /** Decides whether owners of webhooks may still have their tasks. Default: they may. */
  readonly access?: Type<WebhookAccess>;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<A2aPushOptions>()
  .setClassMethodName('forRoot')
  .setExtras<A2aPushExtras>({}, (definition, { access = LastingWebhookAccess }) => ({
    ...definition,
    global: true,
    providers: [...(definition.providers ?? []), { provide: WebhookAccess, useClass: access }],
  }))
  .build();

/** What the providers of this module share. Doubles as the injection token. */
abstract class PushServices implements PumpServices {
  abstract readonly repository: PushConfigRepository;
  abstract readonly tasks: TaskRepository;
  abstract readonly log: TaskEventLog;
  abstract readonly agents: AgentRegistry;
  abstract readonly http: OutboundHttp;
  abstract readonly sender: PushNotificationSender;
  abstract readonly signer: WebhookSigner;
  abstract readonly gate: TargetGate;
  abstract readonly seal: SecretSeal;
  abstract readonly retries: RetryPolicy;
  abstract readonly access: WebhookAccess;
  abstract readonly clock: Clock;
  abstract readonly logger: A2aLogger;
  abstract readonly settings: PumpServices['settings'];
}

const SERVICES: Provider = {
  provide: PushServices,
  inject: [
    MODULE_OPTIONS_TOKEN,
    PushConfigRepository,
    TaskRepository,
    TaskEventLog,
    AgentRegistry,
    OutboundHttp,
    WebhookAccess,
    Clock,
    A2aLogger,
  ],
  useFactory: (
    options: A2aPushOptions,
    repository: PushConfigRepository,
    tasks: TaskRepository,
    log: TaskEventLog,
    agents: AgentRegistry,
    http: OutboundHttp,
    access: WebhookAccess,
    clock: Clock,
    logger: A2aLogger,
  ): PushServices => {
    const settings = pushSettings(options);
    const keys = hostKeys(settings.secret, settings.previousSecrets);
    const signer = new WebhookSigner(keys);
    return {
      repository,
      tasks,
      log,
      agents,
      http,
      access,
      clock,
      logger,
      settings,
      signer,
      sender: new PushNotificationSender(http, signer, clock, settings.timeoutMs),
      gate: new TargetGate(clock, settings, logger),
      seal: new SecretSeal(keys),
      retries: new RetryPolicy(settings.retryDelaysMs),
    };
  },
};

/**
 * Push notifications that lose no update: `A2aCoreModule.forRoot({ push: A2aPushModule.forRoot({ secret }) })`.
 *
 * A client registers a webhook through `PushNotifications` (`configs/`); `SecretSeal` closes what it entrusts (`secrets/`);
 * `PushNotificationDispatcher` starts a `PushPump` that reads the task's log, and each event goes out in a `DeliveryAttempt` (`delivery/`).
 * `PushOperations` shows an operator what stayed behind.
 *
 * Needs PushConfigRepository, which the store has, and OutboundHttp. Without a secret there is no such module (A2A §13.2): what clients
 * entrust to it is never stored in clear.
 */
@Module({
  providers: [
    SERVICES,
    {
      provide: PushNotificationDispatcher,
      inject: [PushServices, TaskEventBus],
      useFactory: (services: PushServices, bus: TaskEventBus) => new PushNotificationDispatcher(services, bus),
    },
    {
      provide: PushNotifications,
      inject: [PushServices, PushNotificationDispatcher],
      useFactory: (services: PushServices, dispatcher: PushNotificationDispatcher) =>
        new StoredPushNotifications({ ...services, dispatcher }),
    },
    {
      provide: PushOperations,
      inject: [PushConfigRepository, PushNotificationDispatcher, Audit],
      useFactory: (repository: PushConfigRepository, dispatcher: PushNotificationDispatcher, audit: Audit) =>
        new PushOperations(repository, audit, dispatcher),
    },
    { provide: WebhookKeys, inject: [PushServices], useFactory: ({ signer }: PushServices) => signer },
  ],
  exports: [PushNotifications, PushOperations, WebhookKeys],
})
export class A2aPushModule extends ConfigurableModuleClass implements OnApplicationBootstrap {
  constructor(@Inject(PushServices) private readonly services: PushServices) {
    super();
  }

  /** What somebody opened is said aloud at every start. */
  onApplicationBootstrap(): void {
    const { agents, logger, settings } = this.services;
    for (const { id, options } of agents.agents) {
      const targets = options.webhooks?.targets ?? settings.targets;
      if (!options.pushNotifications || !(targets?.allowHttp || targets?.openNetworks?.length)) continue;
      logger.warn('Webhooks of an agent may point at more than the public internet; never do this in production', {
        agentId: id,
        ...targets,
      });
    }
  }
}
