import { type StreamResponse } from '../gen/a2a_pb.js';
import { type MessageReceipt } from '../tasks/task-repository.js';
import { Deferred } from './deferred.js';

/** A message of the client on its way into the log of a task. */
export class SaidMessage {
  readonly #accepted = new Deferred<void>();

  /** @param events the message, behind whatever it brings about at once */
  constructor(
    readonly events: readonly StreamResponse[],
    readonly receipt: MessageReceipt | undefined,
  ) {}

  /** Rejects with what kept the message out of the log. */
  get accepted(): Promise<void> {
    return this.#accepted.promise;
  }

  accept(): void {
    this.#accepted.resolve();
  }

  refuse(error: unknown): void {
    this.#accepted.reject(error);
  }
}
