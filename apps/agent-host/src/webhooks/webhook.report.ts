import { type DisabledReason, ownerDigest, type StoredPushConfig, type TroubledPush } from '@a2a/a2a-core';

/** One webhook, and what became of it. */
export interface WebhookDone {
  readonly push: TroubledPush;
  readonly outcome: string;
}

/** Dead letters of a webhook that are shown; the rest are counted. */
const SHOWN_LETTERS = 5;

const WHY_DISABLED: Readonly<Record<DisabledReason, string>> = {
  gone: 'its receiver answered 410',
  exhausted: 'the last attempt failed',
  sealed: 'no key of the host opens its credentials',
};

/** Of a webhook's target, with its port where that is not the scheme's own. The rest of a URL may hold a secret and is shown nowhere. */
export function hostOf({ url }: Pick<StoredPushConfig, 'url'>): string {
  return new URL(url).host;
}

/** Webhooks in trouble under their hosts, those with the most first. */
export function describeTroubled(found: readonly TroubledPush[]): string {
  if (found.length === 0) return 'No webhook is in trouble.\n';
  const hosts = [...byHost(found)].toSorted(([, a], [, b]) => b.length - a.length);
  return hosts.map(([host, pushes]) => [summaryOf(host, pushes), ...pushes.map(describe)].join('\n')).join('\n\n') + '\n';
}

/** What was done, a line each, and how many in all. */
export function describeDone(done: readonly WebhookDone[]): string {
  const lines = done.map(({ push, outcome }) => `${hostOf(push.config)} ${nameOf(push)}: ${outcome}`);
  return [...lines, `${done.length} ${done.length === 1 ? 'webhook' : 'webhooks'}.`].join('\n') + '\n';
}

function byHost(found: readonly TroubledPush[]): Map<string, TroubledPush[]> {
  const hosts = new Map<string, TroubledPush[]>();
  for (const push of found) {
    const host = hostOf(push.config);
    const known = hosts.get(host);
    if (known) known.push(push);
    else hosts.set(host, [push]);
  }
  return hosts;
}

function summaryOf(host: string, pushes: readonly TroubledPush[]): string {
  const count = (is: (push: TroubledPush) => boolean): number => pushes.filter(is).length;
  const letters = pushes.reduce((sum, { deadLetters }) => sum + deadLetters.length, 0);
  const facts = [
    [count(({ config }) => config.status === 'active' && config.attempts > 0), 'failing'],
    [count(({ config }) => config.status === 'disabled'), 'disabled'],
    [letters, letters === 1 ? 'dead letter' : 'dead letters'],
  ] as const;
  const known = facts.filter(([number]) => number > 0).map((fact) => fact.join(' '));
  return `${host}: ${known.join(', ')}`;
}

function describe(push: TroubledPush): string {
  const { config, deadLetters } = push;
  const shown = deadLetters.slice(0, SHOWN_LETTERS).map(({ version, reason, attempts, atMs }) => {
    return `    event ${version}: ${reason} at attempt ${attempts}, ${new Date(atMs).toISOString()}`;
  });
  const more = deadLetters.length - shown.length;
  return [`  ${nameOf(push)}: ${stateOf(config)}`, ...shown, ...(more > 0 ? [`    and ${more} more`] : [])].join('\n');
}

function nameOf({ ref: { scope, taskId, configId } }: TroubledPush): string {
  const tenant = scope.tenant ? ` tenant ${plain(scope.tenant)}` : '';
  return `agent ${scope.agentId}${tenant} owner ${ownerDigest(scope.owner)} task ${plain(taskId)} config ${plain(configId)}`;
}

function stateOf({ status, reason, attempts, cursor }: StoredPushConfig): string {
  const events = cursor === 0 ? 'nothing delivered' : `delivered up to event ${cursor}`;
  if (status === 'disabled') return `disabled, ${reason ? WHY_DISABLED[reason] : 'for no known reason'}; ${events}`;
  if (status === 'active' && attempts > 0) return `failing, ${attempts} attempts; ${events}`;
  return `${status}, ${events}`;
}

/** Ids come from callers: nothing in them may move a terminal's cursor. */
function plain(id: string): string {
  return /^[\w.:@/-]+$/.test(id) ? id : JSON.stringify(id).replaceAll(/[^ -~]/g, '?');
}
