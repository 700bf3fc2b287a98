import { Injectable } from '@nestjs/common';
import { type CallContext } from '../call/call-context.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { A2aError } from '../protocol/errors.js';

/** How much one caller may have under way at once; beyond it a call is refused as RATE_LIMITED, before anything is stored. */
export interface AgentCaps {
  /** Sends that wait for their task, a caller. Default 10. */
  readonly blockingSends: number;
  /** Open streams of one task. Default 10. */
  readonly streamsPerTask: number;
  /** Open streams, a caller. Default 20. */
  readonly streamsPerCaller: number;
}

export const DEFAULT_CAPS: AgentCaps = { blockingSends: 10, streamsPerTask: 10, streamsPerCaller: 20 };

/** Open streams of the whole process. */
const STREAMS_PER_PROCESS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Counts what is under way. Callers without credentials are told apart by their address, since they all have one name.
 *
 * A place taken is given back by the function `take…` returns; calling that twice gives back one.
 */
@Injectable()
export class ConcurrencyCaps {
  readonly #taken = new Map<string, number>();

  /** @throws {A2aError} RATE_LIMITED */
  takeBlockingSend(agent: HostedAgent, call: CallContext): () => void {
    return this.#takeAll([[`send ${caller(call)}`, capsOf(agent).blockingSends]], 'waiting sends');
  }

  /** @throws {A2aError} RATE_LIMITED */
  takeStream(agent: HostedAgent, call: CallContext, taskId?: string): () => void {
    const { streamsPerCaller, streamsPerTask } = capsOf(agent);
    const places: [string, number][] = [
      ['streams', Math.max(STREAMS_PER_PROCESS, streamsPerCaller)],
      [`stream ${caller(call)}`, streamsPerCaller],
    ];
    if (taskId) places.push([`stream ${JSON.stringify(call.scope)} ${taskId}`, streamsPerTask]);
    return this.#takeAll(places, 'open streams');
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

function capsOf({ options }: HostedAgent): AgentCaps {
  return { ...DEFAULT_CAPS, ...options.caps };
}

function caller({ scope, principal, remoteAddress = '' }: CallContext): string {
  return JSON.stringify([scope.agentId, scope.tenant, principal.authenticated ? principal.owner : remoteAddress]);
}
