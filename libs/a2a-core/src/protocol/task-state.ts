import { TaskState } from '../gen/a2a_pb.js';

const TERMINAL: ReadonlySet<TaskState> = new Set([TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED]);
const INTERRUPTED: ReadonlySet<TaskState> = new Set([TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]);

/** The task has ended and never changes again. */
export function isTerminal(state: TaskState | undefined): boolean {
  return state !== undefined && TERMINAL.has(state);
}

/** The task waits for a message or an authorization. */
export function isInterrupted(state: TaskState | undefined): boolean {
  return state !== undefined && INTERRUPTED.has(state);
}

/** A blocking send returns here (A2A §3.2.2). */
export function isSettled(state: TaskState | undefined): boolean {
  return isTerminal(state) || isInterrupted(state);
}

/** The name on the wire, such as `TASK_STATE_WORKING`. */
export function taskStateName(state: TaskState): string {
  return `TASK_STATE_${TaskState[state]}`;
}
