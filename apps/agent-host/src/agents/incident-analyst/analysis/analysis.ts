import { type Claim } from './citation.js';
import { type ErrorGroup } from './findings/error-groups.js';
import { type Suspect } from './findings/suspect.js';
import { type TimelineEntry } from './findings/timeline.js';
import { tellsOfTrouble, tellsWhen } from './findings/told.js';
import { type InputLines } from './input/input-lines.js';
import { type KnownRecord } from './log-record.js';

/** Records and lines of one format. */
export interface FormatShare {
  readonly id: string;
  readonly title: string;
  readonly records: number;
  readonly first: KnownRecord;
  readonly last: KnownRecord;
}

/** Everything found out about one input. Nothing in it changes afterwards. */
export interface Analysis {
  readonly lines: InputLines;
  readonly formats: readonly FormatShare[];
  /** In order of time. */
  readonly records: readonly KnownRecord[];
  /** In order of time. */
  readonly problems: readonly KnownRecord[];
  /** The earliest first. */
  readonly groups: readonly ErrorGroup[];
  /** The strongest first. */
  readonly suspects: readonly Suspect[];
  readonly timeline: readonly TimelineEntry[];
  readonly impact: readonly Claim[];
  /** What a reader should know about how far this can be trusted. */
  readonly notes: readonly Claim[];
  /** What the analysis was narrowed to. */
  readonly focus?: string;
}

/** There is something to say: a log line, an event, a trace, a description that names a known symptom, or one that says what does not work, or that something failed and when. */
export function saysSomething({ records, problems }: Analysis): boolean {
  return (
    problems.some(({ symptoms, format }) => format !== 'plain-text' || symptoms.length > 0) ||
    records.some(({ format }) => format !== 'plain-text') ||
    problems.some(({ message }) => tellsOfTrouble(message)) ||
    (problems.length > 0 && records.some((record) => tellsWhen(record)))
  );
}
