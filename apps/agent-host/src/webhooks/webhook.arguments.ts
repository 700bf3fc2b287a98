import { readArguments, userOfMachine } from '../commands/arguments.js';
import { UsageError } from '../commands/usage.error.js';

const VERBS = ['list', 'replay', 'drop'] as const;

/** Webhooks to look at: those that fit all that is given. */
export interface WebhookSelection {
  /** Of the target, with its port where that is not the scheme's own. */
  readonly host?: string;
  readonly agentId?: string;
  readonly taskId?: string;
  readonly configId?: string;
}

/** What an operator wants of webhooks that are in trouble, and who says so. */
export interface WebhookRequest {
  readonly verb: (typeof VERBS)[number];
  readonly which: WebhookSelection;
  readonly by: string;
}

const USAGE = `npm run webhooks -- list [WHICH]
npm run webhooks -- replay WHICH [--by NAME]
npm run webhooks -- drop WHICH [--by NAME]

list     webhooks that fail, are disabled or have dead letters, by the host of their target
replay   deliver again, in order: from the first dead letter on, or from where it stopped; enables what is disabled
drop     give up: dead letters are forgotten, webhooks that fail or are disabled are removed with what they had to deliver

WHICH    --host NAME     of the target, with its port unless that is the usual one
         --agent ID
         --task ID
         --config ID
         --all           every one that list shows
--by     for the audit trail: a name, a ticket. Default: the user of this machine`;

const OPTIONS = {
  host: { type: 'string' },
  agent: { type: 'string' },
  task: { type: 'string' },
  config: { type: 'string' },
  all: { type: 'boolean' },
  by: { type: 'string' },
} as const;

/** @throws {UsageError} also for a change of no named webhooks: all of them have to be meant */
export function parseWebhookRequest(args: readonly string[]): WebhookRequest {
  const { values, positionals } = readArguments({ args: [...args], options: OPTIONS, allowPositionals: true }, USAGE);
  const { host, agent, task, config, all = false, by = userOfMachine() } = values;
  const verb = VERBS.find((known) => known === positionals[0]);
  if (!verb || positionals.length > 1) throw new UsageError(`One of ${VERBS.join(', ')} comes first`, USAGE);
  const isNarrow = [host, agent, task, config].some((value) => value !== undefined);
  if (all && isNarrow) throw new UsageError('--all, or something narrower', USAGE);
  if (verb !== 'list' && !all && !isNarrow) throw new UsageError(`${verb} needs --host, --agent, --task, --config or --all`, USAGE);
  return { verb, which: { host: host?.toLowerCase(), agentId: agent, taskId: task, configId: config }, by };
}
