/**
 * The host's log. Facts are ids, sizes and names; bodies and credentials are never among them.
 *
 * A port of its own, because Nest's LoggerService has no place for structured facts.
 */
export abstract class A2aLogger {
  abstract debug(message: string, facts?: Record<string, unknown>): void;
  abstract info(message: string, facts?: Record<string, unknown>): void;
  abstract warn(message: string, facts?: Record<string, unknown>): void;
  abstract error(message: string, facts?: Record<string, unknown>): void;
}
