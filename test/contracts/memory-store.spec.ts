import { InMemoryStateStore, InMemoryTaskRepository } from '@a2a/a2a-core';
import { describeStore } from '../support/selected-stores.js';
import { stateStoreContract } from './state-store.contract.js';
import { taskRepositoryContract } from './task-repository.contract.js';

describeStore('memory', 'the store in memory', () => {
  taskRepositoryContract('InMemoryTaskRepository', async (options) => new InMemoryTaskRepository(options));
  stateStoreContract('InMemoryStateStore', async () => new InMemoryStateStore());
});
