import { Injectable } from '@nestjs/common';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { CallAudit } from '../audit/call-audit.js';
import { type CallContext } from '../call/call-context.js';
import { type TurnHandle, type TurnOutcome, type TurnRequest } from '../execution/pending-turn.js';
import { withholdSecrets } from '../extensions/secrets.extension.js';
import { type SendMessageRequest, type TaskPushNotificationConfig } from '../gen/a2a_pb.js';
import { AgentLimits } from '../limits/agent-limits.js';
import { TaskEndedError } from '../protocol/errors.js';
import { DuplicateMessage, type ReceivedMessage } from '../tasks/task-repository.js';
import { InlineWebhooks } from './inline-webhooks.js';
import { checkSendRequest } from './message-checks.js';
import { MessageReceipts } from './message-receipts.js';
import { TurnStarter } from './turn-starter.js';

/** A message that was accepted, now or before; `handle` is its turn, while this process knows it. */
export interface Accepted {
  readonly outcome: TurnOutcome;
  readonly taskId: string;
  readonly handle?: TurnHandle;
}

/**
 * Takes a message in: checked, told from one that came before, its webhook stored, its turn started.
 *
 * - Nothing of it is stored before it is checked.
 * - A message that comes again is answered from the first time, also when the first time is under way or was on another process.
 */
@Injectable()
export class MessageIntake {
  constructor(
    private readonly limits: AgentLimits,
    private readonly receipts: MessageReceipts,
    private readonly webhooks: InlineWebhooks,
    private readonly turns: TurnStarter,
    private readonly audit: CallAudit,
  ) {}

  /**
   * Resolves when the agent has said whether it answers with a message or with a task.
   *
   * @param onBegin as for `TurnStarter.start`
   */
  async accept(request: SendMessageRequest, agent: HostedAgent, call: CallContext, onBegin?: (taskId: string) => void): Promise<Accepted> {
    const { message, secrets } = withholdSecrets(checkSendRequest(request, agent, this.limits.limitsOf(agent)));
    const isFirst = !message.taskId;
    const webhook = await this.webhooks.take(request, message, call);
    const receipt = this.receipts.receiptFor(agent, message);
    const known = (await this.receipts.find(call.scope, receipt)) ?? this.receipts.underWay(call.scope, receipt);
    if (known) return this.#again(known, call, isFirst ? webhook : undefined);
    const turn: TurnRequest = {
      principal: call.principal,
      message,
      secrets,
      requestMetadata: request.metadata,
      acceptedOutputModes: request.configuration?.acceptedOutputModes,
      activatedExtensions: call.activatedExtensions,
      headers: call.headers,
      receipt,
      onTask: webhook && ((taskId) => this.webhooks.register(webhook, taskId, call, isFirst ? 0 : undefined)),
    };
    try {
      const handle = await this.turns.start(agent, call, turn, onBegin);
      const outcome = await handle.outcome;
      if (outcome.kind === 'task' && isFirst) this.audit.did('task.create', call, handle.taskId);
      return { handle, taskId: handle.taskId, outcome };
    } catch (error) {
      // The task may have ended by what this very message asked for when it came first.
      const mayBeKnown = error instanceof DuplicateMessage || error instanceof TaskEndedError;
      const accepted = mayBeKnown ? await this.receipts.find(call.scope, receipt) : undefined;
      if (accepted) return this.#again(accepted, call, isFirst ? webhook : undefined);
      throw error;
    }
  }

  async #again(known: ReceivedMessage | TurnHandle, call: CallContext, webhook?: TaskPushNotificationConfig): Promise<Accepted> {
    if ('outcome' in known) return { handle: known, taskId: known.taskId, outcome: await known.outcome };
    const { reply, taskId = '' } = known;
    if (reply) return { outcome: { kind: 'message', message: reply }, taskId };
    if (webhook) await this.webhooks.registerMissing(webhook, taskId, call);
    return { outcome: { kind: 'task' }, taskId };
  }
}
