import { type HostedAgent } from '../agents/hosted-agent.js';
import { type Message } from '../gen/a2a_pb.js';
import { type A2aLogger } from '../logging.js';
import { type AgentLimits } from '../limits/agent-limits.js';
import { type MessageReceipt } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type CommitServices } from './commit-queue.js';
import { type PendingTurn } from './pending-turn.js';
import { type TaskRef } from './task-resumer.js';
import { type TaskWriter } from './task-writer.js';
import { type Turn } from './turn.js';

/** What running a task reaches into. */
export interface RunnerServices extends CommitServices {
  readonly logger: A2aLogger;
  readonly limits: AgentLimits;
  /** See A2aCoreOptions. */
  readonly taskAfterMs: number;
  readonly cancelTimeoutMs: number;
  makeTurn(agent: HostedAgent, ref: TaskRef, turn: PendingTurn, writer: TaskWriter): Turn;
  saveReply(scope: TaskScope, receipt: MessageReceipt | undefined, reply: Message): Promise<void>;
}
