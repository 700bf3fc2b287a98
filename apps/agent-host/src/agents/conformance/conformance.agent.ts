import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type AgentEvent, AgentExecutor, Clock, TaskResumer, type TurnContext } from '@a2a/a2a-core';
import { ApprovalBook } from '../../approvals/approval-book.js';
import { type Tools } from './behaviour.js';
import { ConformanceOptions } from './conformance.options.js';
import { routeOf } from './route.js';

/** Makes every behaviour of the protocol reachable from outside, with nothing but the API that any agent has. */
@Injectable()
export class ConformanceAgent extends AgentExecutor implements OnModuleDestroy {
  readonly #closing = new AbortController();
  readonly #tools: Tools;

  constructor(clock: Clock, resumer: TaskResumer, approvals: ApprovalBook, options: ConformanceOptions) {
    super();
    this.#tools = { clock, resumer, approvals, replica: options.replica, closing: this.#closing.signal };
  }

  execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    return routeOf(turn)(turn, this.#tools);
  }

  onModuleDestroy(): void {
    this.#closing.abort();
  }
}
