import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { type Message, type Task } from '../gen/a2a_pb.js';
import { type Principal } from '../call/principal.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { type MessageReceipt } from '../tasks/task-repository.js';
import { Deferred } from './deferred.js';

/**
 * What the caller of a send gets to know first: a direct answer, or that there is a task.
 *
 * `at` is the task as the message found it; absent when the message began it, so that its log from the start is the answer.
 */
export type TurnOutcome = { readonly kind: 'message'; readonly message: Message } | { readonly kind: 'task'; readonly at?: LoadedTask };

/** What asks for a turn. */
export interface TurnRequest {
  readonly principal: Principal;
  readonly message: Message;
  /** What was taken out of the message; never stored. */
  readonly secrets?: JsonValue;
  readonly requestMetadata?: JsonObject;
  readonly acceptedOutputModes?: readonly string[];
  readonly activatedExtensions?: readonly string[];
  readonly headers?: ReadonlyMap<string, string>;
  readonly receipt?: MessageReceipt;
  /** Set when no message began the turn. */
  readonly resumeMetadata?: JsonObject;
  /** Called once, when the task has come into being and before any event of the agent is stored. */
  readonly onTask?: (taskId: string) => Promise<void>;
}

/** A turn that waits or runs, as the rest of the core sees it. */
export interface TurnHandle {
  readonly taskId: string;
  /** Rejects with the A2aError that kept a task from coming into being. */
  readonly outcome: Promise<TurnOutcome>;
  /**
   * The turn brought the task to a terminal or interrupted state, or is over.
   *
   * Gives the task as the turn settled it, though a later message may have moved it on; undefined when only the store can tell.
   */
  readonly settled: Promise<LoadedTask | undefined>;
  /** Version of the log when the turn began to run; undefined while it waits. */
  readonly startedAtVersion: number | undefined;
}

/** The same from inside. */
export class PendingTurn implements TurnHandle {
  readonly #outcome = new Deferred<TurnOutcome>();
  readonly #settled = new Deferred<LoadedTask | undefined>();
  readonly #abort = new AbortController();
  startedAtVersion: number | undefined;
  /** The task before the message; shared, never changed. */
  before?: Task;
  /** Its events do not count any more. */
  isFenced = false;

  constructor(
    readonly taskId: string,
    readonly contextId: string,
    readonly request: TurnRequest,
  ) {}

  get outcome(): Promise<TurnOutcome> {
    return this.#outcome.promise;
  }
  get settled(): Promise<LoadedTask | undefined> {
    return this.#settled.promise;
  }
  /** What the agent gets as `turn.signal`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  answer(outcome: TurnOutcome): void {
    this.#outcome.resolve(outcome);
  }
  /** Has no effect on an outcome that is known already. */
  refuse(error: unknown): void {
    this.#outcome.reject(error);
    this.#settled.resolve(undefined);
  }
  /** Has no effect on a turn that is settled already. */
  settle(task?: LoadedTask): void {
    this.#settled.resolve(task);
  }
  abort(reason: Error): void {
    this.#abort.abort(reason);
  }
}
