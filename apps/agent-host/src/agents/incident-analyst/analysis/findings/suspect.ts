import { type Claim } from '../citation.js';
import { type KnownRecord } from '../log-record.js';

/** A reason for suspicion, or against it when `points` is negative. */
export interface Reason extends Claim {
  readonly points: number;
}

/** Something that may have begun the incident. */
export interface Suspect {
  /** The rule's id, `exception`, `server-errors` or `unknown-error`. */
  readonly id: string;
  readonly kind: 'cause' | 'effect' | 'change';
  /** Markdown heading, such as ``Connection refused: `db:5432` ``. */
  readonly title: string;
  /** One plain sentence. */
  readonly means: string;
  /** 1–100, never certain: how much speaks for it. Not a probability. */
  readonly score: number;
  readonly count: number;
  readonly first: KnownRecord;
  readonly last: KnownRecord;
  readonly reasons: readonly Reason[];
  readonly nextSteps: readonly string[];
}

/** How sure the analysis is of a suspect, for people; programs get the score. */
export type Confidence = 'strong' | 'fair' | 'thin';

/** Score from which the evidence is called strong. */
const STRONG = 74;
const FAIR = 58;

export function confidenceIn({ score }: Suspect): Confidence {
  if (score >= STRONG) return 'strong';
  return score >= FAIR ? 'fair' : 'thin';
}
