import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@a2a/a2a-store';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { say, taskOf } from '../conformance/requests.js';
import { describeStore } from '../contracts/selected-stores.js';
import { type WebhookAnswer, type WebhookPost, WebhookSink } from '../support/webhook-sink.js';

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

describeStore('sqlite', 'webhooks through crashes and failing receivers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'a2a-webhooks-'));
  const url = `sqlite:${join(directory, 'a2a.sqlite')}`;
  const env = {
    DATABASE_URL: url,
    A2A_WEBHOOKS_PER_CALLER: '1000000',
    A2A_WEBHOOK_ARTIFACT_UPDATES: 'all',
    A2A_WEBHOOK_TIMEOUT_MS: '250',
    A2A_WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 100 }, () => 50).join(','),
    A2A_WEBHOOK_HOST_CONCURRENCY: '64',
    A2A_WEBHOOK_HOST_RATE: '100000',
  };
  let sink: WebhookSink;
  beforeAll(async () => {
    sink = await WebhookSink.start();
  });
  afterAll(async () => {
    await sink.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it(`lose no update, keep the order and send no id with two bodies: ${TASKS} tasks, ${KILLS} kills, 30 % failures`, async () => {
    const random = repeatableRandom();
    sink.answer = () => (random() < 0.3 ? (FAILURES[Math.floor(random() * FAILURES.length)] ?? 500) : 204);
    let host = await ConformanceHost.start(env);
    const known: string[] = [];
    let begun = 0;

    const begin = async (): Promise<void> => {
      const configuration = { returnImmediately: true, taskPushNotificationConfig: { id: 'c', url: sink.url() } };
      while (begun < TASKS) {
        begun++;
        // A send that is cut off by a kill was never promised anything.
        const answer = await host.rest.send(say('/stream n=7 bytes=20 every=10', {}, configuration)).catch(() => undefined);
        if (answer) known.push(taskOf(answer).id);
        else await restarted;
      }
    };
    let restarted: Promise<unknown> = Promise.resolve();
    const killing = (async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        await sink.until(() => sink.acceptedCount >= (kill * TASKS * 9) / (KILLS + 2));
        host.grpc.close();
        restarted = host.process.kill('SIGKILL').then(async () => (host = await ConformanceHost.start(env)));
        await restarted;
      }
    })();
    await Promise.all(Array.from({ length: AT_ONCE }, begin));
    await killing;

    const truth = new Map<string, string[]>();
    for (const id of known) truth.set(id, await eventsOf(host, id));
    await sink.until(isComplete(truth, sink));
    await host.stop();

    const arrived = byTask(sink.accepted);
    for (const [id, events] of truth) expect(arrived.get(id)?.map(({ body }) => body)).toEqual(events);
    expect(idsWithTwoBodies(sink.posts)).toEqual([]);
    expect(truth.size).toBeGreaterThan(TASKS / 2);
    expect(await outboxOf(url)).toEqual({ due: [], behind: [], troubled: [] });
  }, 600_000);
});

/** Every event of a task that has ended, as its log has it: a stream that resumes behind nothing. */
async function eventsOf(host: ConformanceHost, id: string): Promise<string[]> {
  const stream = await host.rest.open('SubscribeToTask', { id }, { headers: { 'last-event-id': '0' } });
  return (await stream.rest()).map((item) => JSON.stringify(item));
}

function byTask(posts: readonly WebhookPost[]): Map<string, WebhookPost[]> {
  const found = new Map<string, WebhookPost[]>();
  for (const post of posts) {
    const known = found.get(post.taskId);
    if (known) known.push(post);
    else found.set(post.taskId, [post]);
  }
  return found;
}

/** Asked after each of thousands of deliveries, so it goes on where it was. */
function isComplete(truth: ReadonlyMap<string, readonly string[]>, sink: WebhookSink): () => boolean {
  const pending = new Set(truth.keys());
  return () => {
    for (const id of pending) {
      if (sink.acceptedFor(id) < (truth.get(id)?.length ?? 0)) return false;
      pending.delete(id);
    }
    return true;
  };
}

function idsWithTwoBodies(posts: readonly WebhookPost[]): string[] {
  const bodies = new Map<string, string>();
  return posts.filter(({ id, body }) => (bodies.get(id) ?? bodies.set(id, body).get(id)) !== body).map(({ id }) => id);
}

/** What a new process would still have to deliver, after a moment in which leases and waits are over. */
async function outboxOf(url: string) {
  const { pushConfigs, close } = await openStore({ url });
  const outbox = {
    due: await pushConfigs.findDue(1_000),
    behind: (await pushConfigs.findBehind(0, 1_000_000)).items,
    troubled: (await pushConfigs.findTroubled(0, 1_000)).items,
  };
  await close();
  return outbox;
}
