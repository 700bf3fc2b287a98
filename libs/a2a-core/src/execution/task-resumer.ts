import { type JsonObject } from '@bufbuild/protobuf';
import { type TaskScope } from '../tasks/task-scope.js';

/** Names one task of one caller. Plain JSON, so that it can be kept until an approval or a timer comes back with it. */
export interface TaskRef {
  readonly scope: TaskScope;
  readonly taskId: string;
}

/** What went before a resumption, for the agent. */
export interface ResumeNote {
  readonly metadata?: JsonObject;
}

/**
 * Goes on with a task without a message from the client: an authorization came in out of band, or a detached piece of work is done
 * (A2A §7.6).
 */
export abstract class TaskResumer {
  /**
   * Starts a new turn of the task, behind those that wait already. Resolves when the turn is accepted, not when it has run.
   *
   * In the turn `resumed` is true, `message` is the last message of the client and `resumeMetadata` is the note's.
   *
   * @throws {TaskNotFoundError} when there is no such task
   * @throws {UnsupportedOperationError} when it has ended
   */
  abstract resume(ref: TaskRef, note?: ResumeNote): Promise<void>;
}
