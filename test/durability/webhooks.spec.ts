import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { say, taskOf } from '../conformance/requests.js';
import { describeStore } from '../support/selected-stores.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { type WebhookAnswer, WebhookSink } from '../support/webhook-sink.js';
import { byTask, eventsOf, idsWithTwoBodies, isComplete, outboxOf, tasksWithWebhook } from './deliveries.js';

/** Set both higher for a long run: 1000 tasks are about ten thousand deliveries. */
const TASKS = Number(process.env.A2A_WEBHOOK_TEST_TASKS ?? 60);
const KILLS = Number(process.env.A2A_WEBHOOK_TEST_KILLS ?? 5);
const AT_ONCE = 12;
const FAILURES: readonly WebhookAnswer[] = ['refuse', 'hang', 500, 429, 'reset'];

/** 0 up to 1; the same numbers in every run, so that failures come in the same order. */
function repeatableRandom(): () => number {
  const modulus = 2 ** 31 - 1;
  let state = 7;
  return () => (state = (state * 48_271) % modulus) / modulus;
}

const ENV = {
  A2A_SECRET: 'a secret that every process of this host has',
  A2A_WEBHOOKS_PER_CALLER: '1000000',
  A2A_WEBHOOK_ARTIFACT_UPDATES: 'all',
  A2A_WEBHOOK_TIMEOUT_MS: '1000',
  A2A_WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 100 }, () => 50).join(','),
  A2A_WEBHOOK_HOST_CONCURRENCY: '64',
  A2A_WEBHOOK_HOST_RATE: '100000',
};

/** @param database URL of an empty one */
function webhooksThroughCrashes(database: () => Promise<string>): void {
  let sink: WebhookSink;
  beforeAll(async () => {
    sink = await WebhookSink.start();
  });
  afterAll(() => sink.stop());

  it(`lose no update, keep the order and send no id with two bodies: ${TASKS} tasks, ${KILLS} kills, 30 % failures`, async () => {
    const settings = { ...ENV, DATABASE_URL: await database() };
    const random = repeatableRandom();
    sink.answer = () => (random() < 0.3 ? (FAILURES[Math.floor(random() * FAILURES.length)] ?? 500) : 204);
    let host = await ConformanceHost.start(settings);
    const known: string[] = [];
    let begun = 0;

    const begin = async (): Promise<void> => {
      const configuration = { returnImmediately: true, taskPushNotificationConfig: { id: 'c', url: sink.url() } };
      while (begun < TASKS) {
        begun++;
        // A send that is cut off by a kill was never promised anything.
        const answer = await host.rest.send(say('/stream n=7 bytes=20 every=10', {}, configuration)).catch(() => undefined);
        if (answer) {
          known.push(taskOf(answer).id);
        } else {
          begun--;
          await restarted;
        }
      }
    };
    let restarted: Promise<unknown> = Promise.resolve();
    const killing = (async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        await sink.until(() => sink.acceptedCount >= (kill * TASKS * 9) / (KILLS + 2));
        host.grpc.close();
        restarted = host.process.kill('SIGKILL').then(async () => (host = await ConformanceHost.start(settings)));
        await restarted;
      }
    })();
    await Promise.all(Array.from({ length: AT_ONCE }, begin));
    await killing;

    const truth = new Map<string, string[]>();
    for (const id of await tasksWithWebhook(host)) truth.set(id, await eventsOf(host, id));
    await sink.until(isComplete(truth, sink));
    await host.stop();

    const arrived = byTask(sink.accepted);
    for (const [id, events] of truth) expect(arrived.get(id)?.map(({ body }) => body)).toEqual(events);
    expect(idsWithTwoBodies(sink.posts)).toEqual([]);
    expect(known).toHaveLength(TASKS);
    expect(known.filter((id) => !truth.has(id))).toEqual([]);
    expect(await outboxOf(settings.DATABASE_URL)).toEqual({ due: [], behind: [], troubled: [] });
  }, 600_000);
}

describeStore('sqlite', 'webhooks through crashes and failing receivers, on SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'a2a-webhooks-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  webhooksThroughCrashes(async () => `sqlite:${join(directory, 'a2a.sqlite')}`);
});

describeStore('postgres', 'webhooks through crashes and failing receivers, on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  webhooksThroughCrashes(() => postgres.createDatabase());
});
