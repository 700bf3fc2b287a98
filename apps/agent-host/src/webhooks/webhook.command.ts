import { type A2aLogger, type PushOperations, storePushOperations, type TroubledPush } from '@a2a/a2a-core';
import { withHostStore } from '../commands/host-store.js';
import { type HostConfig } from '../config/host.config.js';
import { type WebhookRequest, type WebhookSelection } from './webhook.arguments.js';
import { describeDone, describeTroubled, hostOf, type WebhookDone } from './webhook.report.js';

const PAGE = 500;
const GONE = 'gone meanwhile';

/**
 * Shows, replays or drops the webhooks in the host's database that are in trouble. Hosts that run on it begin within a second.
 *
 * @returns what there is or was done, for a terminal
 * @throws {Error} as `withHostStore`
 */
export function runWebhooks({ verb, which, by }: WebhookRequest, host: HostConfig, logger: A2aLogger): Promise<string> {
  return withHostStore(host, async (store) => {
    const operations = storePushOperations(store, logger);
    const found = await findTroubled(operations, which);
    if (verb === 'list') return describeTroubled(found);
    return describeDone(verb === 'replay' ? await replay(operations, found, by) : await drop(operations, found, by));
  });
}

async function findTroubled(operations: PushOperations, which: WebhookSelection): Promise<TroubledPush[]> {
  const found: TroubledPush[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const { items, next }: Awaited<ReturnType<PushOperations['troubled']>> = await operations.troubled(PAGE, after);
    found.push(...items.filter((push) => isSelected(push, which)));
    after = next;
  }
  return found;
}

function isSelected({ ref, config }: TroubledPush, { host, agentId, taskId, configId }: WebhookSelection): boolean {
  return (
    (host ?? hostOf(config)) === hostOf(config) &&
    (agentId ?? ref.scope.agentId) === ref.scope.agentId &&
    (taskId ?? ref.taskId) === ref.taskId &&
    (configId ?? ref.configId) === ref.configId
  );
}

async function replay(operations: PushOperations, found: readonly TroubledPush[], by: string): Promise<WebhookDone[]> {
  const done: WebhookDone[] = [];
  for (const push of found) {
    const first = push.deadLetters[0]?.version ?? push.config.cursor + 1;
    const isKnown = await operations.replay(push.ref, by);
    done.push({ push, outcome: isKnown ? `delivered again from event ${first} on` : GONE });
  }
  return done;
}

async function drop(operations: PushOperations, found: readonly TroubledPush[], by: string): Promise<WebhookDone[]> {
  const done: WebhookDone[] = [];
  for (const push of found) {
    const dropped = await operations.drop(push.ref, by);
    const letters = `${push.deadLetters.length} dead letters forgotten; the webhook goes on`;
    done.push({ push, outcome: { letters, webhook: 'removed with what it had to deliver', unknown: GONE }[dropped] });
  }
  return done;
}
