import { Global, Module } from '@nestjs/common';
import { InMemoryStateStore } from './in-memory-state.store.js';
import { InMemoryTaskRepository } from './in-memory-task.repository.js';
import { StateStore } from './state-store.js';
import { TaskRepository } from './task-repository.js';

/** Tasks and values live in this process and end with it. Take `A2aStoreModule` of a2a-store for those that must not. */
@Global()
@Module({
  providers: [
    { provide: TaskRepository, useFactory: () => new InMemoryTaskRepository() },
    { provide: StateStore, useFactory: () => new InMemoryStateStore() },
  ],
  exports: [TaskRepository, StateStore],
})
export class InMemoryStoreModule {}
