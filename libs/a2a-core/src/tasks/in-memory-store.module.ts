import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../clock.js';
import { InMemoryPushConfigRepository } from '../push/configs/in-memory-push-config.repository.js';
import { PushConfigRepository } from '../push/configs/push-config.repository.js';
import { InMemoryStateStore } from './in-memory-state.store.js';
import { InMemoryTaskRepository } from './in-memory-task.repository.js';
import { StateStore } from './state-store.js';
import { TaskRepository } from './task-repository.js';

/** The core's; without the core, that of the machine. */
const CLOCK = { token: Clock, optional: true };

/** Tasks, values and webhooks live in this process and end with it. Take `A2aStoreModule` of a2a-store for those that must not. */
@Global()
@Module({
  providers: [
    { provide: TaskRepository, useFactory: () => new InMemoryTaskRepository() },
    { provide: StateStore, inject: [CLOCK], useFactory: (clock?: Clock) => new InMemoryStateStore({ clock }) },
    {
      provide: PushConfigRepository,
      inject: [TaskRepository, CLOCK],
      useFactory: (tasks: TaskRepository, clock = new SystemClock()) => new InMemoryPushConfigRepository(tasks, clock),
    },
  ],
  exports: [TaskRepository, StateStore, PushConfigRepository],
})
export class InMemoryStoreModule {}
