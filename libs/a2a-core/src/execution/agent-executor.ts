import { type AgentEvent } from '../protocol/events.js';
import { type TurnContext } from './turn-context.js';

/**
 * What runs an agent's turns, for a team that wants the whole conversation in one place instead of `@AgentSkill` classes.
 *
 * - Turns of one task never run at the same time; turns of different tasks do.
 * - A turn runs detached from the connection that asked for it.
 * - What the protocol forbids (a message after a status, an event of another task, anything after a terminal state) ends the task as FAILED.
 */
export abstract class AgentExecutor {
  /**
   * Answers one message. A turn that ends without a terminal or interrupted state is COMPLETED by the platform.
   *
   * A `Message` as the first event answers directly, without a task. An error ends the task as FAILED with a public text and an error id.
   */
  abstract execute(turn: TurnContext): AsyncIterable<AgentEvent>;

  /**
   * Whether the caller may have this turn at all. Runs before anything of `execute`, and a task that the turn would make does not come into
   * being while it runs, however long it takes.
   *
   * @throws {A2aError} for the caller: refuses a first message; a task that exists becomes AUTH_REQUIRED
   */
  admit?(turn: TurnContext): Promise<void>;

  /**
   * Called after `turn.signal` has aborted, when a caller cancels the task. Events it yields are applied before the task becomes CANCELED.
   */
  cancel?(turn: TurnContext): AsyncIterable<AgentEvent>;
}
