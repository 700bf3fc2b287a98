import { type AgentEvent, type Clock, type TaskResumer, type TurnContext } from '@a2a/a2a-core';
import { type ApprovalBook } from '../../approvals/approval-book.js';

/** What behaviours use beside their turn. */
export interface Tools {
  readonly clock: Clock;
  readonly resumer: TaskResumer;
  readonly approvals: ApprovalBook;
  /** Name of this process among the replicas. */
  readonly replica: string;
  /** Aborts when the host stops; for work outside a turn. */
  readonly closing: AbortSignal;
}

/** One thing the agent can be made to do in a turn. */
export type Behaviour = (turn: TurnContext, tools: Tools) => AsyncIterable<AgentEvent>;
