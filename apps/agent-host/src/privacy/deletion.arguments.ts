import { ownerKey } from '@a2a/auth';
import { readArguments, userOfMachine } from '../commands/arguments.js';
import { UsageError } from '../commands/usage.error.js';

/** What is to be deleted, and who says so. */
export interface DeletionRequest {
  readonly owner: string;
  readonly agentId?: string;
  readonly tenant?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly by: string;
}

/** What the command prints when it is called wrongly. */
export const USAGE = `npm run data:delete -- WHO [WHAT] [--by NAME]

WHO    --owner KEY                        the owner key, such as u_5Xv…
       --issuer URL --subject NAME        a caller with tokens; the key is made from both
       --realm api-key|basic|certificate  a caller of another scheme: --issuer is the scheme's name in the security file
       --client ID                        where the client owns what it makes, not the subject alone
WHAT   --agent ID                         at one agent only
       --tenant NAME                      in one tenant only; --tenant= for none
       --task ID                          one task; needs --agent
       --context ID                       one context: its tasks and what agents remember of it; needs --agent
--by   for the audit trail: a name, a ticket. Default: the user of this machine`;

const OPTIONS = {
  owner: { type: 'string' },
  issuer: { type: 'string' },
  subject: { type: 'string' },
  realm: { type: 'string' },
  client: { type: 'string' },
  agent: { type: 'string' },
  tenant: { type: 'string' },
  task: { type: 'string' },
  context: { type: 'string' },
  by: { type: 'string' },
} as const;

/** @throws {UsageError} */
export function parseDeletionRequest(args: readonly string[]): DeletionRequest {
  const given = readArguments({ args: [...args], options: OPTIONS }, USAGE).values;
  const { agent, tenant, task, context, by = userOfMachine() } = given;
  const isNarrow = task !== undefined || context !== undefined;
  if (task !== undefined && context !== undefined) throw new UsageError('--task and --context: one of them', USAGE);
  if (isNarrow && agent === undefined) throw new UsageError('--task and --context need --agent', USAGE);
  return { owner: ownerOf(given), agentId: agent, tenant: isNarrow ? (tenant ?? '') : tenant, taskId: task, contextId: context, by };
}

type Given = Partial<Record<keyof typeof OPTIONS, string>>;

function ownerOf({ owner, issuer, subject, realm = 'token', client }: Given): string {
  if (owner !== undefined && issuer === undefined && subject === undefined) return owner;
  if (owner !== undefined || issuer === undefined || subject === undefined)
    throw new UsageError('--owner, or --issuer and --subject', USAGE);
  return ownerKey({ realm, issuer, subject, clientId: client, ownedByClient: client !== undefined });
}
