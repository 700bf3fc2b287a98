import { InMemoryStoreModule, StateStore, TaskRepository } from '@a2a/a2a-core';
import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describeStore } from '../../../test/support/selected-stores.js';
import { creation, newScope } from '../../../test/contracts/task-changes.js';
import { A2aStoreModule } from './a2a-store.module.js';
import { StoreHealth } from './store-health.js';

@Injectable()
class Consumer {
  constructor(
    @Inject(TaskRepository) readonly tasks: TaskRepository,
    @Inject(StateStore) readonly states: StateStore,
  ) {}
}

@Module({ providers: [Consumer] })
class FeatureModule {}

describeStore('sqlite', 'A2aStoreModule', () => {
  it('serves tasks, values and health to every module, and closes when the application shuts down', async () => {
    const app = await Test.createTestingModule({ imports: [A2aStoreModule.forRoot({ url: 'sqlite::memory:' }), FeatureModule] }).compile();
    await app.init();
    const { tasks, states } = app.get(Consumer, { strict: false });
    const health = app.get(StoreHealth, { strict: false });
    const scope = newScope();
    await expect(tasks.commit(scope, creation('t'), 0)).resolves.toBe(1);
    await expect(states.update(scope, 'n', 'k', () => 1)).resolves.toBe(1);
    await expect(health.ping()).resolves.toBeUndefined();
    await app.close();
    await expect(health.ping()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('takes its options from a factory', async () => {
    const options = A2aStoreModule.forRootAsync({ useFactory: async () => ({ url: 'sqlite::memory:' }) });
    const app = await Test.createTestingModule({ imports: [options, FeatureModule] }).compile();
    await expect(app.get(Consumer, { strict: false }).tasks.find(newScope(), 't')).resolves.toBeUndefined();
    await app.close();
  });

  it('fails the start when the URL is of no known form', async () => {
    const module = Test.createTestingModule({ imports: [A2aStoreModule.forRoot({ url: 'mysql://h/d' })] });
    await expect(module.compile()).rejects.toThrow('A2aStoreModule: url must be');
  });
});

describe('InMemoryStoreModule', () => {
  it('serves the same ports', async () => {
    const app = await Test.createTestingModule({ imports: [InMemoryStoreModule, FeatureModule] }).compile();
    const { tasks, states } = app.get(Consumer, { strict: false });
    await expect(tasks.commit(newScope(), creation('t'), 0)).resolves.toBe(1);
    await expect(states.get(newScope(), 'n', 'k')).resolves.toBeUndefined();
    await app.close();
  });
});
