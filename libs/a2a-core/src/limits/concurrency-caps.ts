import { Injectable } from '@nestjs/common';
import { callerName } from '../call/caller-name.js';
import { type CallContext } from '../call/call-context.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { A2aError } from '../protocol/errors.js';
import { AgentLimits } from './agent-limits.js';

/** Open streams of the whole process. */
const STREAMS_PER_PROCESS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Counts what is under way in this process. Callers without credentials are told apart by their address, since they all have one name.
 *
 * A place taken is given back by the function `take…` returns; calling that twice gives back one.
 */
@Injectable()
export class ConcurrencyCaps {
  readonly #taken = new Map<string, number>();

  constructor(private readonly limits: AgentLimits) {}

  /** @throws {A2aError} RATE_LIMITED */
  takeBlockingSend(agent: HostedAgent, call: CallContext): () => void {
    return this.#takeAll([[`send ${caller(call)}`, this.limits.capsOf(agent).blockingSends]], 'waiting sends');
  }

  /** @throws {A2aError} RATE_LIMITED */
  takeStream(agent: HostedAgent, call: CallContext, taskId?: string): () => void {
    const { streamsPerCaller, streamsPerTask } = this.limits.capsOf(agent);
    const places: [string, number][] = [
      ['streams', Math.max(STREAMS_PER_PROCESS, streamsPerCaller)],
      [`stream ${caller(call)}`, streamsPerCaller],
    ];
    if (taskId) places.push([`stream ${JSON.stringify(call.scope)} ${taskId}`, streamsPerTask]);
    return this.#takeAll(places, 'open streams');
  }

  /** @throws {A2aError} RATE_LIMITED */
  takeExecution(agent: HostedAgent, call: CallContext): () => void {
    const { executions, executionsPerCaller } = this.limits.capsOf(agent);
    const places: [string, number][] = [
      [`run ${caller(call)}`, executionsPerCaller],
      [`runs ${agent.id}`, executions],
    ];
    return this.#takeAll(places, 'messages being worked on');
  }

  #takeAll(places: readonly [key: string, cap: number][], what: string): () => void {
    if (places.some(([key, cap]) => (this.#taken.get(key) ?? 0) >= cap)) {
      throw new A2aError('RATE_LIMITED', `Too many ${what} at once`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    for (const [key] of places) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    let held = true;
    return () => {
      if (held) for (const [key] of places) this.#giveBack(key);
      held = false;
    };
  }

  #giveBack(key: string): void {
    const left = (this.#taken.get(key) ?? 1) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}

function caller({ scope, principal, remoteAddress }: CallContext): string {
  return JSON.stringify([scope.agentId, scope.tenant, callerName(principal, remoteAddress)]);
}
