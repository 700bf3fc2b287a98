import { Global, Module } from '@nestjs/common';
import { Clock } from '../clock.js';
import { InMemoryPushConfigRepository } from '../push/in-memory-push-config.repository.js';
import { PushConfigRepository } from '../push/push-config.repository.js';
import { InMemoryStateStore } from './in-memory-state.store.js';
import { InMemoryTaskRepository } from './in-memory-task.repository.js';
import { StateStore } from './state-store.js';
import { TaskRepository } from './task-repository.js';

/** Tasks, values and webhooks live in this process and end with it. Take `A2aStoreModule` of a2a-store for those that must not. */
@Global()
@Module({
  providers: [
    { provide: TaskRepository, useFactory: () => new InMemoryTaskRepository() },
    { provide: StateStore, inject: [Clock], useFactory: (clock: Clock) => new InMemoryStateStore({ clock }) },
    {
      provide: PushConfigRepository,
      inject: [TaskRepository, Clock],
      useFactory: (tasks: TaskRepository, clock: Clock) => new InMemoryPushConfigRepository(tasks, clock),
    },
  ],
  exports: [TaskRepository, StateStore, PushConfigRepository],
})
export class InMemoryStoreModule {}
