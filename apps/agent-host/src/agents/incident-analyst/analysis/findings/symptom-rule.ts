/**
 * Something that logs say when a known thing goes wrong (or changes).
 *
 * | kind | role |
 * | --- | --- |
 * | `cause` | often begins an incident |
 * | `effect` | usually follows from something else |
 * | `change` | a deliberate act; a suspect when trouble follows |
 * | `recovery` | things got better |
 */
export interface SymptomRule {
  readonly id: string;
  readonly kind: 'cause' | 'effect' | 'change' | 'recovery';
  /** How often this is the root of an incident, 0–100: the score a suspect starts with. */
  readonly weight: number;
  /** Matched against what a record says, without regard to case. */
  readonly pattern: RegExp;
  /** Finds what it happened to, such as a host and port, in its first group that matched. */
  readonly subject?: RegExp;
  /** A heading: `Disk full`. */
  readonly title: string;
  /** One plain sentence on what it means. */
  readonly means: string;
  /** What to do, most useful first. */
  readonly nextSteps: readonly string[];
}

/** Where a network error points: `to db:5432`, `upstream: "http://10.0.0.5:8080/x"`, `ECONNREFUSED 10.0.0.5:6379`. */
export const PEER =
  /\b(?:E[A-Z]{4,12}|to|upstream|server|host|dial tcp|address|connecting to|Connection to|at|from|proxying)[:= ]{1,3}["'(]?(?:[a-z][a-z0-9+.]{1,20}:\/\/)?(\[[0-9a-fA-F:]{2,39}\]:\d{2,5}|[\w][\w.-]{0,120}[:/]\d{2,5}\b)/;
