import { openStore } from '@a2a/a2a-store';
import { type ConformanceHost } from '../conformance/conformance-host.js';
import { type WebhookPost, type WebhookSink } from '../support/webhook-sink.js';

/** Every event of a task that has ended, as its log has it: a stream that resumes behind nothing. */
export async function eventsOf(host: ConformanceHost, id: string): Promise<string[]> {
  const stream = await host.rest.open('SubscribeToTask', { id }, { headers: { 'last-event-id': '0' } });
  return (await stream.rest()).map((item) => JSON.stringify(item));
}

/** Ids of all tasks that have the webhook `c`, also of those whose senders were cut off before they heard of them. */
export async function tasksWithWebhook({ rest }: ConformanceHost): Promise<string[]> {
  const found: string[] = [];
  let pageToken = '';
  do {
    const { tasks, nextPageToken } = await rest.listTasks({ pageSize: 100, ...(pageToken && { pageToken }) });
    for (const { id } of tasks) {
      const webhook = await rest.call('GetTaskPushNotificationConfig', { taskId: id, id: 'c' }).catch(() => undefined);
      if (webhook) found.push(id);
    }
    pageToken = nextPageToken;
  } while (pageToken !== '');
  return found;
}

/** In the order of arrival. */
export function byTask(posts: readonly WebhookPost[]): Map<string, WebhookPost[]> {
  const found = new Map<string, WebhookPost[]>();
  for (const post of posts) {
    const known = found.get(post.taskId);
    if (known) known.push(post);
    else found.set(post.taskId, [post]);
  }
  return found;
}

/** Asked after each of thousands of deliveries, so it goes on where it was. */
export function isComplete(truth: ReadonlyMap<string, readonly string[]>, sink: WebhookSink): () => boolean {
  const pending = new Set(truth.keys());
  return () => {
    for (const id of pending) {
      if (sink.acceptedFor(id) < (truth.get(id)?.length ?? 0)) return false;
      pending.delete(id);
    }
    return true;
  };
}

/** Events that came again with another body. */
export function idsWithTwoBodies(posts: readonly WebhookPost[]): string[] {
  const bodies = new Map<string, string>();
  return posts.filter(({ id, body }) => (bodies.get(id) ?? bodies.set(id, body).get(id)) !== body).map(({ id }) => id);
}

/** What a new process would still have to deliver, after a moment in which leases and waits are over. */
export async function outboxOf(url: string) {
  const { pushConfigs, close } = await openStore({ url });
  const outbox = {
    due: await pushConfigs.findDue(1_000),
    behind: (await pushConfigs.findBehind(0, 1_000_000)).items,
    troubled: (await pushConfigs.findTroubled(0, 1_000)).items,
  };
  await close();
  return outbox;
}
