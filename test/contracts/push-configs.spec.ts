import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InMemoryPushConfigRepository, InMemoryTaskRepository } from '@a2a/a2a-core';
import { type A2aStore, openStore } from '@a2a/a2a-store';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { pushConfigRepositoryContract } from './push-config-repository.contract.js';
import { describeStore } from '../support/selected-stores.js';
import { creation, newScope } from './task-changes.js';

describeStore('memory', 'webhooks in memory', () => {
  pushConfigRepositoryContract('InMemoryPushConfigRepository', async () => {
    const tasks = new InMemoryTaskRepository();
    return { tasks, pushConfigs: new InMemoryPushConfigRepository(tasks) };
  });
});

describeStore('sqlite', 'webhooks in SQLite', () => {
  let store: A2aStore;
  const directory = mkdtempSync(path.join(tmpdir(), 'a2a-push-'));
  afterAll(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  pushConfigRepositoryContract('SqlitePushConfigRepository', async () => (store = await openStore({ url: 'sqlite::memory:' })));

  it('are free at once when the file is opened anew: nobody else can hold them', async () => {
    const url = `sqlite:${path.join(directory, 'a2a.sqlite')}`;
    const ref = { scope: newScope(), taskId: randomUUID(), configId: 'c' };
    const draft = { ...ref, url: 'https://hooks.example/', secrets: 's', extensions: [], cursor: 0, isFinished: false };
    const first = await openStore({ url });
    await first.tasks.commit(ref.scope, creation(ref.taskId), 0);
    await first.pushConfigs.save(ref.scope, draft, { perTask: 5, perOwner: 5 });
    await first.pushConfigs.claim(ref, 'first', 3_600_000);
    await expect(first.pushConfigs.findDue(10)).resolves.toEqual([]);
    await first.close();
    const second = await openStore({ url });
    await expect(second.pushConfigs.findDue(10)).resolves.toEqual([ref]);
    await second.close();
  });
});

describeStore('postgres', 'webhooks in PostgreSQL', () => {
  let postgres: TestPostgres;
  let store: A2aStore;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await store.close();
    await postgres.stop();
  });

  pushConfigRepositoryContract('PostgresPushConfigRepository', async () => {
    return (store = await openStore({ url: await postgres.createDatabase() }));
  });
});
