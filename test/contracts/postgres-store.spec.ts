import { agentMessage, ConcurrentModification, DuplicateMessage, taskKey, type TaskScope, TaskState } from '@a2a/a2a-core';
import { type A2aStore, openStore, runMigrations } from '@a2a/a2a-store';
import pg from 'pg';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { durableStoreContract } from './durable-store.contract.js';
import { FlakyProxy } from './flaky-proxy.js';
import { describeStore } from '../support/selected-stores.js';
import { stateStoreContract } from './state-store.contract.js';
import { creation, growth, move, newScope, textsOf } from './task-changes.js';
import { taskRepositoryContract } from './task-repository.contract.js';

/** On a slow machine rivals wait for each other longer than a host would let them. */
const PATIENCE_MS = 60_000;

describeStore('postgres', 'the store in PostgreSQL', () => {
  let postgres: TestPostgres;
  let url: string;
  const opened: A2aStore[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
  });
  afterAll(async () => {
    for (const store of opened) await store.close();
    await postgres.stop();
  });
  const open = async (options: { receiptTtlMs?: number; url?: string } = {}): Promise<A2aStore> => {
    const store = await openStore({ url, connections: 4, statementTimeoutMs: PATIENCE_MS, ...options });
    opened.push(store);
    return store;
  };

  taskRepositoryContract('PostgresTaskRepository', async (options) => (await open(options)).tasks);
  stateStoreContract('PostgresStateStore', async () => (await open()).states);
  durableStoreContract('The PostgreSQL store', () => postgres.createDatabase());

  describe('with several processes', () => {
    it('makes the tables once when five start at once', async () => {
      const empty = await postgres.createDatabase();
      const stores = await Promise.all(Array.from({ length: 5 }, () => open({ url: empty })));
      const scope = newScope();
      await Promise.all(stores.map(({ tasks }, index) => tasks.commit(scope, creation(`t${index}`), 0)));
      expect((await stores[0]?.tasks.list(scope, { limit: 1 }))?.total).toBe(5);
    });

    it('lets exactly one of them win each version and each message, and says so to the others', async () => {
      const stores = await Promise.all([open(), open(), open()]);
      const scope = newScope();
      const outcomesOf = (call: (store: A2aStore, index: number) => Promise<unknown>) =>
        Promise.allSettled(stores.flatMap((store, index) => [call(store, index), call(store, index + 10)]));
      for (let version = 0; version < 5; version++) {
        const outcomes = await outcomesOf(({ tasks }, index) =>
          tasks.commit(scope, version === 0 ? creation('t') : growth('t', version, [`${index}`]), version),
        );
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const reason of reasonsOf(outcomes)) expect(reason).toBeInstanceOf(ConcurrentModification);
      }
      const receipt = { messageId: 'm', digest: 'd' };
      const outcomes = await outcomesOf(({ tasks }, index) => tasks.commit(scope, creation(`new-${index}`, { receipt }), 0));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const reason of reasonsOf(outcomes)) expect(reason).toBeInstanceOf(DuplicateMessage);
      expect((await stores[0].tasks.list(scope, { limit: 10 })).total).toBe(2);
    });

    describe('of which another is in the middle of its commit', () => {
      let rival: pg.Client;
      beforeEach(async () => {
        rival = new pg.Client({ connectionString: url });
        await rival.connect();
        await rival.query('BEGIN');
      });
      afterEach(() => rival.end());

      /** Ends the rival's transaction once `commit` waits for it. */
      const outcomeAfter = async (commit: Promise<number>, end: 'COMMIT' | 'ROLLBACK'): Promise<unknown> => {
        const outcome = commit.catch((error: unknown) => error);
        const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while ((await rival.query(waiting)).rowCount === 0);
        await rival.query(end);
        return outcome;
      };
      const receive = ({ agentId, tenant, owner }: TaskScope) =>
        rival.query("INSERT INTO a2a_message VALUES ($1, $2, $3, 'm', 'd', 'theirs', NULL, $4)", [agentId, tenant, owner, Date.now()]);
      const create = (scope: TaskScope) =>
        rival.query(
          `INSERT INTO a2a_task (key, agent, tenant, owner, id, context_id, state, version, status_at, snapshot_version, created_at)
           VALUES ($1, $2, $3, $4, 't', 'theirs', 3, 1, 1, 0, 1)`,
          [taskKey(scope, 't'), scope.agentId, scope.tenant, scope.owner],
        );

      it('refuses the message that the other accepts, and leaves nothing of its own', async () => {
        const { tasks } = await open();
        const scope = newScope();
        await receive(scope);
        const commit = tasks.commit(scope, creation('t', { receipt: { messageId: 'm', digest: 'd' } }), 0);
        await expect(outcomeAfter(commit, 'COMMIT')).resolves.toBeInstanceOf(DuplicateMessage);
        await expect(tasks.find(scope, 't')).resolves.toBeUndefined();
        await expect(tasks.findReceived(scope, 'm')).resolves.toMatchObject({ taskId: 'theirs' });
      });

      it('refuses the task that the other makes, and leaves no receipt', async () => {
        const { tasks } = await open();
        const scope = newScope();
        await create(scope);
        const commit = tasks.commit(scope, creation('t', { receipt: { messageId: 'm', digest: 'd' } }), 0);
        await expect(outcomeAfter(commit, 'COMMIT')).resolves.toBeInstanceOf(ConcurrentModification);
        await expect(tasks.findReceived(scope, 'm')).resolves.toBeUndefined();
      });

      it('goes on when the other gives up', async () => {
        const { tasks } = await open();
        const scope = newScope();
        await create(scope);
        await receive(scope);
        const commit = tasks.commit(scope, creation('t', { receipt: { messageId: 'm', digest: 'd' } }), 0);
        await expect(outcomeAfter(commit, 'ROLLBACK')).resolves.toBe(1);
        await expect(tasks.findReceived(scope, 'm')).resolves.toMatchObject({ taskId: 't' });
      });
    });

    it('gets through groups of commits that want the same tasks in different orders', async () => {
      const stores = await Promise.all([open(), open(), open()]);
      const scope = newScope();
      const ids = Array.from({ length: 40 }, (_, index) => `t${index}`);
      await Promise.all(ids.map((id) => stores[0].tasks.commit(scope, creation(id), 0)));
      const write = async ({ tasks }: A2aStore, id: string): Promise<void> => {
        for (;;) {
          const version = (await tasks.find(scope, id, 1_000_000))?.head.version ?? 0;
          const failure = await tasks.commit(scope, growth(id, version, ['x']), version).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure === undefined) return;
          if (!(failure instanceof ConcurrentModification)) throw failure;
        }
      };
      await Promise.all(stores.flatMap((store, index) => (index % 2 ? ids : ids.toReversed()).map((id) => write(store, id))));
      const found = await stores[1].tasks.findMany(
        scope,
        ids.map((taskId) => ({ taskId, knownVersion: 0 })),
      );
      expect(found.map(({ head }) => head.version)).toEqual(ids.map(() => 4));
    });

    it('loses no update of a value', async () => {
      const stores = await Promise.all([open(), open(), open()]);
      const scope = newScope();
      const add = ({ states }: A2aStore) => states.update(scope, 'n', 'k', (present) => ((present as number | undefined) ?? 0) + 1);
      await Promise.all(stores.flatMap((store) => Array.from({ length: 15 }, () => add(store))));
      await expect(stores[1].states.get(scope, 'n', 'k')).resolves.toBe(45);
    });

    it('sees on one what another keeps alive', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      const scope = newScope();
      await one.tasks.keepAlive(`runner-${scope.agentId}`, 60_000);
      await two.tasks.commit(scope, creation('t', { runner: `runner-${scope.agentId}` }), 0);
      const found = await two.tasks.findAbandoned(1_000);
      expect(found.filter((task) => task.scope.agentId === scope.agentId)).toEqual([]);
    });
  });

  describe('over a network that breaks', () => {
    let proxy: FlakyProxy;
    let store: A2aStore;
    beforeEach(async () => {
      proxy = await FlakyProxy.start(url);
      store = await openStore({ url: proxy.url, connections: 4 });
    });
    afterEach(async () => {
      await store.close();
      await proxy.stop();
    });

    it.each([1, 2, 3])('commits once when %i answers are lost', async (count) => {
      const scope = newScope();
      proxy.loseAnswers(count);
      await expect(store.tasks.commit(scope, creation('t', { receipt: { messageId: 'm', digest: 'd' } }), 0)).resolves.toBe(1);
      proxy.loseAnswers(count);
      await expect(store.tasks.commit(scope, growth('t', 1, ['a', 'b']), 1)).resolves.toBe(3);
      await expect(store.tasks.commit(scope, move('t', 3, TaskState.COMPLETED), 3)).resolves.toBe(4);
      expect(textsOf(await store.tasks.readEvents(scope, 't', 0, 10))).toEqual(['a', 'b']);
      expect((await store.tasks.list(scope, { limit: 5 })).total).toBe(1);
    });

    it('recognises its own commit later when no answer came at all, and goes on behind it', async () => {
      const scope = newScope();
      await store.tasks.commit(scope, creation('t'), 0);
      proxy.loseAnswers(100);
      const change = growth('t', 1, ['a', 'b']);
      await expect(store.tasks.commit(scope, change, 1)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      proxy.loseAnswers(0);
      const more = { ...change, events: [...change.events, ...growth('t', 3, ['c']).events] };
      await expect(store.tasks.commit(scope, more, 1)).resolves.toBe(4);
      expect(textsOf(await store.tasks.readEvents(scope, 't', 0, 10))).toEqual(['a', 'b', 'c']);
    });

    it("does not take a rival's commit for its own", async () => {
      const scope = newScope();
      const rival = await open();
      await store.tasks.commit(scope, creation('t'), 0);
      await rival.tasks.commit(scope, growth('t', 1, ['rival']), 1);
      proxy.loseAnswers(1);
      await expect(store.tasks.commit(scope, growth('t', 1, ['mine']), 1)).rejects.toThrow(ConcurrentModification);
    });

    it('keeps a reply once, and updates a value once, when the answer is lost', async () => {
      const scope = newScope();
      proxy.loseAnswers(1);
      await store.tasks.saveReply(scope, { messageId: 'm', digest: 'd' }, agentMessage('hi'));
      await expect(store.tasks.saveReply(scope, { messageId: 'm', digest: 'd' }, agentMessage('hi'))).rejects.toThrow(DuplicateMessage);
      await store.states.update(scope, 'n', 'k', () => 1);
      const add = () => store.states.update(scope, 'n', 'k', (present) => (present as number) + 1);
      await add();
      await expect(add()).resolves.toBe(3);
    });

    it('answers UNAVAILABLE with the cause while the database is away', async () => {
      const scope = newScope();
      await proxy.stop();
      const failure: unknown = await store.tasks.find(scope, 't').catch((error: unknown) => error);
      expect(failure).toMatchObject({ reason: 'UNAVAILABLE', cause: expect.objectContaining({ code: 'ECONNREFUSED' }) });
      await expect(store.tasks.commit(scope, creation('t'), 0)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await expect(store.health.ping()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    });
  });

  it('works again after the server cut every connection', async () => {
    const store = await open();
    const scope = newScope();
    await store.tasks.commit(scope, creation('t'), 0);
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'a2a-store'");
    await admin.end();
    await expect(store.tasks.commit(scope, growth('t', 1, ['a']), 1)).resolves.toBe(2);
    await expect(store.tasks.find(scope, 't', 2)).resolves.toMatchObject({ head: { version: 2 } });
  });

  it('writes as much for event 2,000 of a task as for event 200', async () => {
    const own = await postgres.createDatabase();
    const { tasks } = await open({ url: own });
    const client = new pg.Client({ connectionString: own });
    await client.connect();
    const position = async (): Promise<number> => {
      const { rows } = await client.query<{ bytes: string }>("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes");
      return Number(rows[0]?.bytes);
    };
    const scope = newScope();
    await tasks.commit(scope, creation('t'), 0);
    const written: number[] = [];
    for (let version = 1; version <= 2_000; version += 100) {
      const before = await position();
      for (let next = version; next < version + 100; next++) await tasks.commit(scope, growth('t', next, ['x'.repeat(200)]), next);
      written.push((await position()) - before);
    }
    await client.end();
    // The server writes a little of its own in between, which only ever adds.
    const [early, late] = [Math.min(...written.slice(1, 6)), Math.min(...written.slice(-5))];
    expect(late).toBeLessThan(early * 1.5);
  });

  it('leaves the tables alone with `migrate: false`, and finds those that runMigrations made', async () => {
    const empty = await postgres.createDatabase();
    const blind = await openStore({ url: empty, migrate: false });
    await expect(blind.health.ping()).rejects.toThrow('a2a_migration');
    await blind.close();
    await Promise.all([runMigrations(empty), runMigrations(empty)]);
    const store = await openStore({ url: empty, migrate: false });
    await expect(store.tasks.commit(newScope(), creation('t'), 0)).resolves.toBe(1);
    await store.close();
  });
});

function reasonsOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
}
