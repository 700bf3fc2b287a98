import { type KnownRecord } from '../log-record.js';
import { type Pacer } from '../pacer.js';
import { changeReasons, type Evidence, precedes, problemReasons } from './reasons.js';
import { type Reason, type Suspect } from './suspect.js';
import { type Draft, draftSuspects, identifyChange, identifyProblem } from './suspect-drafts.js';

/** Only a description, and nothing measured: never more than a possibility. */
const DESCRIBED_ONLY_MOST = 57;
const MOST_SUSPECTS = 8;
/** Weight from which a draft is a known symptom or an exception. */
const KNOWN_WEIGHT = 40;
const MOST_EARLIEST = 40;
const MOST_KNOWN = 60;
const MOST_FREQUENT = 10;

/** Weighs what may have begun the incident, the strongest suspect first. */
export async function findSuspects(evidence: Evidence, pacer: Pacer): Promise<Suspect[]> {
  const { problems, changes } = evidence;
  const drafts = foremost(await draftSuspects(problems, identifyProblem, pacer));
  const [firstProblem] = problems;
  if (!firstProblem) return [];
  const before = changes.filter((change) => precedes(change, firstProblem));
  const changeDrafts = (await draftSuspects(before, identifyChange, pacer)).slice(0, MOST_EARLIEST);
  const suspects = [
    ...drafts.map((draft, place) => weighed(draft, problemReasons(draft, place, drafts, evidence))),
    ...changeDrafts.map((draft) => weighed(draft, changeReasons(draft, firstProblem))),
  ];
  return suspects.toSorted((one, other) => other.score - one.score).slice(0, MOST_SUSPECTS);
}

/** The drafts worth weighing, in order of time: the earliest, the known ones, the most frequent. Bounded, however strange the input. */
function foremost(drafts: readonly Draft[]): Draft[] {
  const chosen = new Set(drafts.slice(0, MOST_EARLIEST));
  const known = drafts.filter(({ weight }) => weight >= KNOWN_WEIGHT).slice(0, MOST_KNOWN);
  for (const draft of known) chosen.add(draft);
  const frequent: Draft[] = [];
  for (const draft of drafts) {
    if (draft.count <= (frequent.at(-1)?.count ?? 1)) continue;
    frequent.push(draft);
    frequent.sort((one, other) => other.count - one.count);
    frequent.splice(MOST_FREQUENT);
  }
  for (const draft of frequent) chosen.add(draft);
  return [...chosen].toSorted((one, other) => one.order - other.order);
}

function weighed(draft: Draft, reasons: readonly Reason[]): Suspect {
  const { id, kind, title, means, nextSteps, count, last, records } = draft;
  const first = records[0] as KnownRecord;
  const sum = reasons.reduce((score, { points }) => score + points, draft.weight);
  const most = records.every(({ format }) => format === 'plain-text') ? DESCRIBED_ONLY_MOST : 99;
  const score = Math.round(Math.max(1, Math.min(most, sum)));
  return { id, kind, title, means, nextSteps, count, first, last, score, reasons };
}
