import { largest } from '../largest.js';
import { type Pacer } from '../pacer.js';
import { changeReasons, type Evidence, precedes, problemReasons, toldChangeReasons } from './reasons.js';
import { type Reason, type Suspect } from './suspect.js';
import { type Draft, draftSuspects, identifyChange, identifyProblem } from './suspect-drafts.js';
import { tellsOfChangeBefore } from './told.js';

/** Only a description, and nothing measured: never more than a possibility. */
const DESCRIBED_ONLY_MOST = 57;
const MOST_SUSPECTS = 8;
/** Points that make a score of 63; each further point adds less, so that nothing is ever certain. */
const SATURATION = 60;
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
  const told = (await draftSuspects(problems, (record) => (tellsOfChangeBefore(record) ? identifyChange(record) : []), pacer)).filter(
    ({ matter }) => !changeDrafts.some((draft) => draft.matter === matter),
  );
  const suspects = [
    ...drafts.map((draft, place) => weighed(draft, problemReasons(draft, place, drafts, evidence))),
    ...changeDrafts.map((draft) => weighed(draft, changeReasons(draft, firstProblem))),
    ...told.slice(0, MOST_EARLIEST).map((draft) => weighed(draft, toldChangeReasons(draft))),
  ];
  return suspects.toSorted((one, other) => other.score - one.score).slice(0, MOST_SUSPECTS);
}

/** The drafts worth weighing, in order of time: the earliest, the known ones, the most frequent. Bounded, however strange the input. */
function foremost(drafts: readonly Draft[]): Draft[] {
  const known = drafts.filter(({ matter }) => matter.weight >= KNOWN_WEIGHT).slice(0, MOST_KNOWN);
  const frequent = largest(drafts, MOST_FREQUENT, ({ count }) => count);
  return [...new Set([...drafts.slice(0, MOST_EARLIEST), ...known, ...frequent])].toSorted((one, other) => one.order - other.order);
}

function weighed(draft: Draft, reasons: readonly Reason[]): Suspect {
  const { matter, count, first, last, records } = draft;
  const { id, kind, means, nextSteps } = matter;
  const sum = reasons.reduce((score, { points }) => score + points, matter.weight);
  const most = records.every(({ format }) => format === 'plain-text') ? DESCRIBED_ONLY_MOST : 99;
  const score = Math.max(1, Math.min(most, Math.round(100 * (1 - Math.exp(-sum / SATURATION)))));
  return { id, kind, title: matter.title(first), means, nextSteps, count, first, last, score, reasons };
}
