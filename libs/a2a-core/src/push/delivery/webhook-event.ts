import { itemWithEventSequence } from '../../extensions/event-sequence.extension.js';
import { streamResponse } from '../../protocol/events.js';
import { SingleStreamItem } from '../../streams/stream-item.js';
import { TaskFold } from '../../tasks/task-fold.js';
import { type TaskEvent } from '../../tasks/task-event.js';
import { type TaskRepository } from '../../tasks/task-repository.js';
import { type PushRef } from '../configs/push-config.repository.js';
import { type ArtifactUpdates } from '../push.options.js';

const PAGE = 256;

/**
 * Whether an event goes to webhooks (A2A §3.5.1). What clients said does not; the task as it came into being does, when the config was
 * there before it.
 */
export function isForWebhooks(event: TaskEvent, artifactUpdates: ArtifactUpdates): boolean {
  const { payload } = event.event;
  if (payload.case === 'message' || payload.case === undefined) return false;
  if (payload.case !== 'artifactUpdate') return true;
  return artifactUpdates === 'all' || (artifactUpdates === 'complete' && (!payload.value.append || payload.value.lastChunk));
}

/**
 * The body of a delivery: a StreamResponse in ProtoJSON (A2A §4.3.3). Depends on the log up to the event and on nothing else, so it is the
 * same however often it is sent.
 *
 * With `complete`, the last chunk of an artifact becomes the whole artifact: a receiver that did not get the other chunks could do nothing
 * with it.
 */
export async function webhookBody(
  tasks: TaskRepository,
  { scope, taskId }: PushRef,
  event: TaskEvent,
  artifactUpdates: ArtifactUpdates,
  extensions: readonly string[],
): Promise<string> {
  const { payload } = event.event;
  const isLastChunk = artifactUpdates === 'complete' && payload.case === 'artifactUpdate' && payload.value.append;
  const whole = isLastChunk ? await wholeArtifact(tasks, { scope, taskId }, event) : event.event;
  const sequenced = itemWithEventSequence(whole, event.version, extensions);
  return sequenced === event.event ? event.json : new SingleStreamItem(sequenced).json;
}

async function wholeArtifact(tasks: TaskRepository, { scope, taskId }: Pick<PushRef, 'scope' | 'taskId'>, last: TaskEvent) {
  const { payload } = last.event;
  if (payload.case !== 'artifactUpdate') return last.event;
  const { artifactId } = payload.value.artifact ?? {};
  let fold: TaskFold | undefined;
  for (let version = 0; version < last.version;) {
    const events = await tasks.readEvents(scope, taskId, version, Math.min(PAGE, last.version - version));
    if (events.length === 0) break;
    if (fold) for (const event of events) fold.apply(event);
    else fold = TaskFold.from(events);
    version = events.at(-1)?.version ?? last.version;
  }
  const artifact = fold?.share().artifacts.find((made) => made.artifactId === artifactId);
  return artifact ? streamResponse({ ...payload.value, artifact, append: false }) : last.event;
}
