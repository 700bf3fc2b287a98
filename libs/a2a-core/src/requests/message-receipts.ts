import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type Message, MessageSchema } from '../gen/a2a_pb.js';
import { InvalidParamsError } from '../protocol/errors.js';
import { messageToJson } from '../protocol/proto-json.js';
import { type MessageReceipt, type ReceivedMessage, TaskRepository } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type TurnHandle } from '../execution/pending-turn.js';

/**
 * A message that comes again from the same caller is answered from the first time (A2A §3.3.1).
 *
 * Ids belong to the caller: the same id from another caller is another message. Another message under a known id is refused.
 */
@Injectable()
export class MessageReceipts {
  readonly #underWay = new Map<string, { readonly digest: string; readonly handle: TurnHandle }>();

  constructor(private readonly repository: TaskRepository) {}

  /** Undefined for an agent that takes every message as new. */
  receiptFor(agent: HostedAgent, message: Message): MessageReceipt | undefined {
    if (agent.options.deduplicateMessages === false) return undefined;
    return { messageId: message.messageId, digest: hash('sha256', JSON.stringify(messageToJson(MessageSchema, message)), 'base64url') };
  }

  /** @throws {InvalidParamsError} when the id is known for another message */
  async find(scope: TaskScope, receipt: MessageReceipt | undefined): Promise<ReceivedMessage | TurnHandle | undefined> {
    if (!receipt) return undefined;
    const running = this.underWay(scope, receipt);
    if (running) return running;
    const known = await this.repository.findReceived(scope, receipt.messageId);
    return known && checkSame(known, receipt) ? known : undefined;
  }

  /** The turn of the same message, while it is not known yet what becomes of it. */
  underWay(scope: TaskScope, receipt: MessageReceipt | undefined): TurnHandle | undefined {
    const running = receipt && this.#underWay.get(key(scope, receipt));
    return running && checkSame(running, receipt) ? running.handle : undefined;
  }

  /** Notes a first message until it is known what becomes of it. */
  track(scope: TaskScope, receipt: MessageReceipt | undefined, handle: TurnHandle): void {
    if (!receipt) return;
    const id = key(scope, receipt);
    this.#underWay.set(id, { digest: receipt.digest, handle });
    const forget = (): boolean => this.#underWay.delete(id);
    handle.outcome.then(forget, forget);
  }
}

function key(scope: TaskScope, { messageId }: MessageReceipt): string {
  return JSON.stringify([scope.agentId, scope.tenant, scope.owner, messageId]);
}

function checkSame(known: { readonly digest: string }, receipt: MessageReceipt): true {
  if (known.digest === receipt.digest) return true;
  throw InvalidParamsError.of('message.messageId', 'another message had this id; make a new id for each message');
}
