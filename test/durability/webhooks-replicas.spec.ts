import { ConformanceHost } from '../conformance/conformance-host.js';
import { say, taskOf } from '../conformance/requests.js';
import { describeStore } from '../support/selected-stores.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { WebhookSink } from '../support/webhook-sink.js';
import { byTask, eventsOf, idsWithTwoBodies, isComplete, outboxOf, tasksWithWebhook } from './deliveries.js';

const TASKS = 24;
const AT_ONCE = 4;
const COMPLETED = 'TASK_STATE_COMPLETED';
const FAILED = 'TASK_STATE_FAILED';

describeStore('postgres', 'webhooks of two hosts on one database', () => {
  let postgres: TestPostgres;
  let url: string;
  let hosts: ConformanceHost[];
  let sink: WebhookSink;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    sink = await WebhookSink.start();
    url = await postgres.createDatabase();
    const env = {
      DATABASE_URL: url,
      A2A_SECRET: 'a secret that both hosts have in common',
      A2A_WEBHOOK_ARTIFACT_UPDATES: 'all',
      A2A_WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 100 }, () => 50).join(','),
      A2A_WEBHOOK_HOST_CONCURRENCY: '64',
      A2A_WEBHOOK_HOST_RATE: '100000',
    };
    hosts = [await ConformanceHost.start(env), await ConformanceHost.start(env)];
  });
  afterEach(async () => {
    for (const host of hosts) await host.stop();
    await sink.stop();
  });

  const configuration = () => ({ returnImmediately: true, taskPushNotificationConfig: { id: 'c', url: sink.url() } });
  const lastStateOf = (taskId: string) => byTask(sink.accepted).get(taskId)?.at(-1)?.item.statusUpdate?.status.state;

  /** Begins tasks at both hosts in turn. @returns ids of those that were answered */
  const begin = async (command: string): Promise<string[]> => {
    const known: string[] = [];
    let begun = 0;
    const next = async (): Promise<void> => {
      while (begun < TASKS) {
        const host = hosts[begun++ % hosts.length];
        const answer = await host?.rest.send(say(command, {}, configuration())).catch(() => undefined);
        if (answer) known.push(taskOf(answer).id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    return known;
  };
  const truthOf = async (host: ConformanceHost, ids: readonly string[]) => {
    const truth = new Map<string, string[]>();
    for (const id of ids) truth.set(id, await eventsOf(host, id));
    return truth;
  };
  const expectAllIn = (truth: ReadonlyMap<string, readonly string[]>): void => {
    const arrived = byTask(sink.accepted);
    for (const [id, events] of truth) expect(arrived.get(id)?.map(({ body }) => body)).toEqual(events);
    expect(idsWithTwoBodies(sink.posts)).toEqual([]);
  };

  it('deliver each update once and in order, whichever host runs the task and whichever got the webhook', async () => {
    const [first, second] = hosts as [ConformanceHost, ConformanceHost];
    const ids = await begin('/stream n=5 bytes=20 every=10');
    const asked = await Promise.all(hosts.map(async (host) => taskOf(await host.rest.send(say('/ask')))));
    for (const [index, { id, contextId }] of asked.entries()) {
      const [here, there] = index === 0 ? [first, second] : [second, first];
      await there.grpc.call('CreateTaskPushNotificationConfig', { taskId: id, url: sink.url() });
      await here.jsonRpc.send(say('an answer', { taskId: id, contextId }));
    }
    const truth = await truthOf(second, ids);
    await sink.until(isComplete(truth, sink));
    await sink.until(() => asked.every(({ id }) => lastStateOf(id) === COMPLETED));
    expect(ids).toHaveLength(TASKS);
    expectAllIn(truth);
    expect(sink.posts).toHaveLength(sink.acceptedCount);
  });

  it('are taken over when one is killed: nothing is lost, and only what was on its way comes again', async () => {
    const [first, second] = hosts as [ConformanceHost, ConformanceHost];
    const held = taskOf(await first.rest.send(say('/sleep ms=600000', {}, configuration())));
    await sink.until(() => sink.acceptedFor(held.id) === 2);
    const beginning = begin('/stream n=7 bytes=20 every=20');
    await sink.until(() => sink.acceptedCount >= TASKS);
    first.grpc.close();
    await first.process.kill('SIGKILL');
    const known = [held.id, ...(await beginning)];
    const truth = await truthOf(second, await tasksWithWebhook(second));
    expect(known.filter((id) => !truth.has(id))).toEqual([]);
    await sink.until(isComplete(truth, sink));
    await second.stop();
    expectAllIn(truth);
    expect(lastStateOf(held.id)).toBe(FAILED);
    // A task's webhook is with one process at a time, and one delivery of it on its way.
    const again = sink.posts.filter((post) => sink.posts.find(({ id }) => id === post.id) !== post);
    expect(new Set(again.map(({ taskId }) => taskId)).size).toBe(again.length);
    expect(await outboxOf(url)).toEqual({ due: [], behind: [], troubled: [] });
  });
});
