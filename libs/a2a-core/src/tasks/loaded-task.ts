import { type Task } from '../gen/a2a_pb.js';
import { type TaskHead } from './task-repository.js';

/** A task as its log says, at one version. */
export interface LoadedTask {
  readonly head: TaskHead;
  /** Shared with other readers: never change it. */
  readonly task: Task;
}
