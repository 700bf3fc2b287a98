import { Injectable } from '@nestjs/common';
import { AgentRegistry } from '../agents/agent-registry.js';
import { ownerDigest } from '../audit/owner-digest.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type BindingName, type CallSeed } from '../call/call-context.js';
import { A2aLogger } from '../logging.js';
import { A2aError } from '../protocol/errors.js';
import { type OperationName } from '../protocol/operations.js';
import { type Answer, type IncomingCall } from './request-handler.js';
import { type StreamItem } from '../streams/stream-item.js';
import { taskIdIn } from './task-id-in.js';

/** Every request message says its tenant. */
type AnyRequest = object & { readonly tenant: string };

/** Tells how a call ended. Later calls of one function do nothing. */
type End = (outcome: string, facts?: { readonly taskId?: string; readonly items?: number }) => void;

/** What is known of a call that ended before its handler was asked: turned away, too large, or not understood. */
export interface UnhandledCall extends Pick<CallSeed, 'binding' | 'mount' | 'signal'> {
  /** Undefined where the call did not get as far as naming one. */
  readonly operation?: OperationName;
  /** Undefined for a caller that was not let in. */
  readonly owner?: string;
  /** `performance.now()` when the call came. */
  readonly startedAt?: number;
  /** Undefined where the wire does not say. */
  readonly requestBytes?: number;
}

/**
 * Writes one line for each call when it has ended: who asked what of which agent and task, how it went and how long it took.
 *
 * - `outcome` is `ok`, the reason of an error, or `left` when the reader of a stream went before its end.
 * - Nothing of what was said is in a line. `owner` is a digest, enough to tell callers apart.
 */
@Injectable()
export class CallLog {
  /** Signals of calls that a handler has taken up; it tells of their end. */
  readonly #taken = new WeakSet<AbortSignal>();

  constructor(
    private readonly logger: A2aLogger,
    private readonly registry: AgentRegistry,
  ) {}

  async unary<T extends object>(
    name: OperationName,
    request: AnyRequest,
    call: IncomingCall,
    answer: Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    const end = this.#begin(name, request, call);
    try {
      const result = await answer;
      end('ok', { taskId: taskIdIn(result.response) });
      return result;
    } catch (error) {
      end(reasonOf(error));
      throw error;
    }
  }

  /** As `unary`; the line is written when the stream has ended, however it ended. */
  async streaming(
    name: OperationName,
    request: AnyRequest,
    call: IncomingCall,
    answer: Promise<Answer<AsyncIterable<StreamItem>>>,
  ): Promise<Answer<AsyncIterable<StreamItem>>> {
    const end = this.#begin(name, request, call);
    try {
      const result = await answer;
      return { ...result, response: watched(result.response, call.signal, end) };
    } catch (error) {
      end(reasonOf(error));
      throw error;
    }
  }

  /** Tells of a call that no handler has taken up; of any other it does nothing. */
  refused({ binding, mount, signal, operation, owner, startedAt, requestBytes }: UnhandledCall, error: unknown): void {
    if (this.#taken.has(signal)) return;
    this.logger.info('Call', {
      binding,
      operation,
      agentId: this.#mountedAt(binding, mount)?.id,
      outcome: reasonOf(error),
      durationMs: startedAt === undefined ? undefined : Math.round(performance.now() - startedAt),
      requestBytes,
      owner: owner === undefined ? undefined : ownerDigest(owner),
    });
  }

  #begin(operation: OperationName, request: AnyRequest, call: IncomingCall): End {
    this.#taken.add(call.signal);
    const startedAt = performance.now();
    let ended = false;
    return (outcome, facts = {}) => {
      if (ended) return;
      ended = true;
      this.logger.info('Call', {
        binding: call.binding,
        operation,
        agentId: this.#findAgentId(call, request.tenant),
        taskId: facts.taskId ?? taskIdIn(request),
        outcome,
        durationMs: Math.round(performance.now() - startedAt),
        items: facts.items,
        requestBytes: contentLength(call),
        owner: ownerDigest(call.principal.owner),
      });
    };
  }

  /** Over gRPC only the message names the agent. */
  #mountedAt(binding: BindingName, mount: string | undefined): HostedAgent | undefined {
    if (mount !== undefined) return this.registry.find(mount);
    return binding === 'GRPC' ? undefined : this.registry.defaultAgent;
  }

  #findAgentId(call: IncomingCall, tenant: string): string | undefined {
    try {
      return this.registry.resolve(call, tenant).agent.id;
    } catch {
      return undefined;
    }
  }
}

/** The same stream, with its end told. Leaving is passed on at once. */
function watched(stream: AsyncIterable<StreamItem>, signal: AbortSignal, end: End): AsyncIterable<StreamItem> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<StreamItem> {
      const iterator = stream[Symbol.asyncIterator]();
      let items = 0;
      let taskId: string | undefined;
      return {
        async next() {
          try {
            const result = await iterator.next();
            if (result.done) {
              end(signal.aborted ? 'left' : 'ok', { taskId, items });
            } else {
              items += 1;
              taskId ??= taskIdIn(result.value.event);
            }
            return result;
          } catch (error) {
            end(reasonOf(error), { taskId, items });
            throw error;
          }
        },
        async return() {
          end('left', { taskId, items });
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof A2aError ? error.reason : 'INTERNAL';
}

function contentLength({ headers }: CallSeed): number | undefined {
  const length = headers.get('content-length');
  return length === undefined ? undefined : Number(length);
}
