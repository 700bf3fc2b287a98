import { type LineRange } from './line-range.js';

/** One call of a stack. */
export interface Frame extends LineRange {
  /** Function, as written. */
  readonly call: string;
  /** File and line, as written. */
  readonly place: string;
  /** Code of the team, not of the language or a library. */
  readonly application: boolean;
}

/** One exception with its frames, innermost call first. */
export interface Thrown {
  readonly type: string;
  readonly message: string;
  /** Line of the input that names it. */
  readonly line: number;
  readonly frames: readonly Frame[];
  readonly suppressed: boolean;
}

/** A chain of exceptions, from the one that surfaced to the one that began it. Never empty. */
export interface StackTrace {
  readonly language: 'java' | 'python' | 'node' | 'go';
  readonly chain: readonly Thrown[];
}

/** The exception that surfaced. */
export function surfaced(trace: StackTrace): Thrown {
  return trace.chain[0] as Thrown;
}

/** The deepest cause; a suppressed exception is a by-product and never the cause. */
export function rootCause(trace: StackTrace): Thrown {
  return trace.chain.findLast((thrown) => !thrown.suppressed) ?? surfaced(trace);
}

/** The first frame of the team's own code, looked for in the deepest cause first. */
export function applicationFrame(trace: StackTrace): Frame | undefined {
  return trace.chain
    .filter((thrown) => !thrown.suppressed)
    .toReversed()
    .flatMap((thrown) => thrown.frames)
    .find((frame) => frame.application);
}

/** `Type: message`, or the type alone. */
export function titleOf({ type, message }: Thrown): string {
  return message ? `${type}: ${message}` : type;
}
