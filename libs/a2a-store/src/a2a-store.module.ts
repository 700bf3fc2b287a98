import { PushConfigRepository, StateStore, TaskRepository } from '@a2a/a2a-core';
import { ConfigurableModuleBuilder, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type A2aStoreOptions } from './a2a-store.options.js';
import { openStore } from './open-store.js';
import { type A2aStore } from './store.js';
import { StoreHealth } from './store-health.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<A2aStoreOptions>()
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

/** The open store; its class is the token. */
abstract class OpenStore implements A2aStore {
  abstract readonly tasks: TaskRepository;
  abstract readonly states: StateStore;
  abstract readonly pushConfigs: PushConfigRepository;
  abstract readonly health: StoreHealth;
  abstract close(): Promise<void>;
}

/**
 * Durable tasks, values and webhooks, in SQLite or PostgreSQL: `A2aStoreModule.forRoot({ url: 'sqlite:./data/a2a.sqlite' })`.
 *
 * Opens its own database connection, whatever else the application uses, and closes it last, when the application shuts down.
 */
@Module({
  providers: [
    { provide: OpenStore, inject: [MODULE_OPTIONS_TOKEN], useFactory: (options: A2aStoreOptions) => openStore(options) },
    { provide: TaskRepository, inject: [OpenStore], useFactory: (store: OpenStore) => store.tasks },
    { provide: StateStore, inject: [OpenStore], useFactory: (store: OpenStore) => store.states },
    { provide: PushConfigRepository, inject: [OpenStore], useFactory: (store: OpenStore) => store.pushConfigs },
    { provide: StoreHealth, inject: [OpenStore], useFactory: (store: OpenStore) => store.health },
  ],
  exports: [TaskRepository, StateStore, PushConfigRepository, StoreHealth],
})
export class A2aStoreModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  constructor(@Inject(OpenStore) private readonly store: OpenStore) {
    super();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
