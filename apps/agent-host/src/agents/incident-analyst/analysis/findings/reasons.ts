import { claim, placeOf, quote } from '../citation.js';
import { type LineRange } from '../line-range.js';
import { type KnownRecord } from '../log-record.js';
import { applicationFrame, rootCause, surfaced, type Thrown } from '../stack-trace.js';
import { between, formatDuration, plural } from '../wording.js';
import { type Correlation } from './correlation.js';
import { type Burst } from './rhythm.js';
import { type Draft } from './suspect-drafts.js';
import { type Reason } from './suspect.js';

/** A change is held against what follows within this time. */
const CHANGE_REACH_MS = 3_600_000;
/** Without times: within so many lines. */
const CHANGE_REACH_LINES = 200;
const BURST_REACH_MS = 120_000;
/** Faults of code and configuration, which a change before them explains best. */
const MADE_BY_CHANGES = new Set([
  'missing-schema',
  'bad-configuration',
  'image-pull',
  'null-reference',
  'wrong-type',
  'permission-denied',
  'exception',
]);

/** What callers of a stopped service report. */
const LEFT_ALONE = new Set(['connection-refused', 'connection-lost', 'no-upstream']);

const ONLY_DESCRIBED = 'Against: only a description says so; no log line shows it.';

/** The evidence that suspects are weighed against. */
export interface Evidence {
  /** In order of time. */
  readonly problems: readonly KnownRecord[];
  /** Deployments, settings, restarts; in order of time. */
  readonly changes: readonly KnownRecord[];
  readonly bursts: readonly Burst[];
  readonly correlation: Correlation;
}

/**
 * What speaks for and against a problem as the beginning of the incident.
 *
 * @param place of `draft` in `drafts`, which are in order of time
 */
export function problemReasons(draft: Draft, place: number, drafts: readonly Draft[], evidence: Evidence): Reason[] {
  const [first] = draft.records;
  if (!first) return [];
  const maybe = [
    seen(draft, first),
    place === 0 ? comesFirst(first, drafts[1]) : undefined,
    place > 0 ? comesAfter(draft, drafts.slice(0, place)) : undefined,
    followedBy(first, drafts.slice(place + 1)),
    deepestCause(draft),
    burstFollows(first, evidence.bursts),
    sameRequest(draft, evidence.correlation),
    namedByOthers(first, evidence.correlation),
    changeBefore(draft, first, evidence.changes),
    onlyDescribed(draft, first),
    standsAlone(draft, first, evidence),
  ];
  return maybe.filter((item) => item !== undefined);
}

function reason(points: number, text: string, ...lines: readonly LineRange[]): Reason {
  return { ...claim(text, ...lines), points };
}

function seen(draft: Draft, first: KnownRecord): Reason {
  const points = Math.min(6, Math.log2(draft.count));
  const where = placeOf(first);
  if (draft.count === 1) return reason(points, `Seen once${where ? ` in ${where}` : ''}.`, first);
  return reason(
    points,
    `Seen ${draft.count} times${where ? `, first in ${where}` : ''}.`,
    ...(draft.last === first ? [first] : [first, draft.last]),
  );
}

function comesFirst(first: KnownRecord, next: Draft | undefined): Reason | undefined {
  const [follower] = next?.records ?? [];
  if (!follower) return undefined;
  const ms = between(first.time, follower.time);
  const ahead = ms && ms > 0 ? `, ${formatDuration(ms)} before the next kind` : '';
  return reason(12, `It is the first problem in the input${ahead}.`, first, follower);
}

function comesAfter(draft: Draft, before: readonly Draft[]): Reason | undefined {
  const stronger = before.filter(({ matter }) => matter.kind === 'cause' && matter.weight >= draft.matter.weight - 10);
  const [first] = draft.records;
  const [earlier] = stronger[0]?.records ?? [];
  if (!earlier || !first || !stronger[0]) return undefined;
  return reason(
    draft.matter.kind === 'effect' ? -14 : -6,
    `Against: it starts after “${stronger[0].matter.title(earlier)}”, so it may follow from it.`,
    earlier,
    first,
  );
}

function followedBy(first: KnownRecord, later: readonly Draft[]): Reason | undefined {
  const followers = later.flatMap(({ records }) => records[0] ?? []).filter((record) => record !== first);
  if (followers.length === 0) return undefined;
  const others = followers.length === 1 ? 'Another kind of problem follows' : `${followers.length} other kinds of problem follow`;
  return reason(Math.min(8, 3 + followers.length), `${others} it.`, first, ...followers.slice(0, 3));
}

function deepestCause(draft: Draft): Reason | undefined {
  const record = draft.records.find(({ trace }) => trace);
  if (!record?.trace) return undefined;
  const [root, top, frame] = [rootCause(record.trace), surfaced(record.trace), applicationFrame(record.trace)];
  const at =
    frame &&
    (frame.call
      ? ` First code of the application: ${quote(frame.call, 100)} at ${quote(frame.place, 120)}.`
      : ` First code of the application: ${quote(frame.place, 120)}.`);
  const lines = [...[root.line, top.line].map((line) => ({ from: line, to: line })), ...(frame ? [frame] : [])];
  if (root !== top) return reason(12, `The deepest cause below ${quote(top.type, 100)} is ${named(root)}.${at ?? ''}`, ...lines);
  return frame ? reason(4, (at ?? '').trim(), ...lines) : undefined;
}

/** Type and message quoted one by one: the input may put a code between them. */
function named({ type, message }: Thrown): string {
  return message ? `${quote(type, 100)}: ${quote(message)}` : quote(type, 100);
}

function burstFollows(first: KnownRecord, bursts: readonly Burst[]): Reason | undefined {
  const burst = bursts.find((candidate) => {
    const ms = elapsed(first, candidate.first);
    return ms !== undefined && ms >= 0 && ms <= BURST_REACH_MS;
  });
  if (!burst) return undefined;
  const ms = between(first.time, burst.first.time) ?? 0;
  const when = ms > 0 ? `starts ${formatDuration(ms)} later` : 'starts with it';
  return reason(6, `A burst of ${plural(burst.count, 'problem')} ${when}.`, first, burst.first, burst.last);
}

function sameRequest(draft: Draft, { byId }: Correlation): Reason | undefined {
  for (const record of draft.records) {
    for (const id of record.ids ?? []) {
      const sharing = byId.get(id) ?? [];
      const later = sharing.find(({ service }) => service !== record.service);
      if (sharing[0] === record && later) {
        const where = later.service ? ` and then in ${placeOf(later)}` : ' and then elsewhere';
        return reason(8, `Request ${quote(id, 64)} fails here first${where}.`, record, later);
      }
    }
  }
  return undefined;
}

function namedByOthers(first: KnownRecord, { namedBy }: Correlation): Reason | undefined {
  const naming = first.service ? namedBy.get(first.service) : undefined;
  if (!naming || !first.service) return undefined;
  const who = naming.service ? `Errors of ${placeOf(naming)}` : 'Other errors';
  return reason(6, `${who} name ${quote(first.service, 60)}.`, naming, first);
}

function changeBefore(draft: Draft, first: KnownRecord, changes: readonly KnownRecord[]): Reason | undefined {
  const change = changes.findLast((candidate) => precedes(candidate, first));
  const rule = change?.symptoms.find(({ kind }) => kind === 'change');
  if (!change || !rule || draft.records.includes(change)) return undefined;
  const ms = between(change.time, first.time);
  const when = ms === undefined ? 'before it' : `${formatDuration(ms)} before it`;
  return reason(MADE_BY_CHANGES.has(draft.matter.id) ? 8 : 4, `${rule.title} ${when}: ${quote(change.message, 100)}.`, change, first);
}

function onlyDescribed(draft: Draft, first: KnownRecord): Reason | undefined {
  if (draft.records.some(({ format }) => format !== 'plain-text')) return undefined;
  return reason(-12, ONLY_DESCRIBED, first);
}

/** One line proves that something happened, and little more. */
function standsAlone({ count }: Draft, first: KnownRecord, { problems, changes }: Evidence): Reason | undefined {
  if (count > 1 || problems.length > 1 || changes.length > 0 || first.trace) return undefined;
  return reason(-8, 'Against: it is the only line that speaks of trouble; nothing shows what led to it.', first);
}

/** Before, and near enough to be held against. */
export function precedes(change: KnownRecord, problem: KnownRecord): boolean {
  const ms = elapsed(change, problem);
  if (ms !== undefined) return ms >= 0 && ms <= CHANGE_REACH_MS;
  return change.from < problem.from && problem.from - change.from <= CHANGE_REACH_LINES;
}

/** Milliseconds from one record to the other in their order; undefined when their times cannot be compared. */
function elapsed(one: KnownRecord, other: KnownRecord): number | undefined {
  return one.time && other.time && one.time.kind === other.time.kind ? other.orderMs - one.orderMs : undefined;
}

/** What speaks for a change as the beginning of the incident. */
export function changeReasons(draft: Draft, problem: KnownRecord): Reason[] {
  const change = draft.records.findLast((record) => precedes(record, problem));
  if (!change) return [];
  const ms = elapsed(change, problem);
  const near = ms === undefined ? 10 : ms <= 60_000 ? 22 : ms <= 300_000 ? 16 : ms <= 900_000 ? 10 : 4;
  const when = ms === undefined ? 'shortly before' : `${formatDuration(ms)} before`;
  const reasons = [reason(near, `${quote(change.message, 120)}, ${when} the first problem.`, change, problem)];
  if (change.service && change.service === problem.service) {
    reasons.push(reason(8, `The first problem is in the service that changed, ${placeOf(change)}.`, change, problem));
  }
  if (draft.matter.id === 'restart' && problem.symptoms.some(({ id }) => LEFT_ALONE.has(id))) {
    reasons.push(reason(22, 'What follows is what others see of a service that has stopped.', change, problem));
  }
  return reasons;
}

/** What speaks for a change that only a description puts before the trouble, in the same breath. */
export function toldChangeReasons({ first }: Draft): Reason[] {
  return [reason(16, 'The description itself puts it before the trouble.', first), reason(-12, ONLY_DESCRIBED, first)];
}
