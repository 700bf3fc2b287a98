import { type KnownRecord } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';
import { evidenceOf } from './known-record.js';
import {
  DESCRIBED_TROUBLE,
  EXCEPTION,
  type Matter,
  matterOfRule,
  REFUSED_REQUESTS,
  SERVER_ERRORS,
  UNKNOWN_ERROR,
  UNKNOWN_TROUBLE,
} from './matter.js';
import { type SymptomRule } from './symptom-rule.js';
import { subjectIn, SYMPTOMS } from './symptom.registry.js';

/** Problems that may be one suspect, before the evidence is weighed. */
export interface Draft {
  readonly matter: Matter;
  /** In order of time, the first few; never empty. */
  readonly records: KnownRecord[];
  readonly first: KnownRecord;
  last: KnownRecord;
  /** Occurrences, those that the input counts by itself included. */
  count: number;
  /** Place of the first record among all that were sorted. */
  readonly order: number;
}

/** Records with one key are one suspect. */
interface Identity {
  readonly key: string;
  readonly matter: Matter;
}

/** Records of one draft that are looked at in detail. */
const MOST_RECORDS = 50;
const SIGNS_OF_PROSE = 3;
const MATTERS = new Map<SymptomRule, Matter>(SYMPTOMS.map((rule) => [rule, matterOfRule(rule)]));

/** Sorts records into drafts: one a known symptom and what it happened to, one an exception, one a kind of unknown error. */
export async function draftSuspects(
  records: readonly KnownRecord[],
  identify: (record: KnownRecord) => readonly Identity[],
  pacer: Pacer,
): Promise<Draft[]> {
  const drafts = new Map<string, Draft>();
  let order = 0;
  await paced(
    records,
    pacer,
    (record) => {
      for (const { key, matter } of identify(record)) {
        const draft = drafts.get(key) ?? { matter, records: [], first: record, last: record, count: 0, order };
        if (draft.records.length < MOST_RECORDS) draft.records.push(record);
        draft.count += record.repeats ?? 1;
        draft.last = record;
        drafts.set(key, draft);
      }
      order += 1;
    },
    512,
  );
  return [...drafts.values()];
}

/** What a problem may be. A line of prose can speak of several things; a log line counts for the most specific one. */
export function identifyProblem(record: KnownRecord): readonly Identity[] {
  const signs = record.symptoms.filter(({ kind }) => kind === 'cause' || kind === 'effect');
  if (signs.length > 0) return signs.slice(0, record.format === 'plain-text' ? SIGNS_OF_PROSE : 1).map((rule) => ofRule(record, rule));
  const key = record.signature ?? '';
  if (record.trace) return [{ key: `exception|${key}`, matter: EXCEPTION }];
  if (record.http)
    return [record.http.status >= 500 ? { key: 'server-errors', matter: SERVER_ERRORS } : { key: 'refused', matter: REFUSED_REQUESTS }];
  if (record.format === 'plain-text') return [{ key: `unknown|${key}`, matter: DESCRIBED_TROUBLE }];
  const vague = record.severity === 'unknown' || record.severity === 'warning';
  return [{ key: `unknown|${key}`, matter: vague ? UNKNOWN_TROUBLE : UNKNOWN_ERROR }];
}

/** What a change is: one suspect for each service that was changed. */
export function identifyChange(record: KnownRecord): readonly Identity[] {
  const rule = record.symptoms.find(({ kind }) => kind === 'change');
  return rule ? [{ key: `${rule.id}|${record.service ?? ''}`, matter: matterOf(rule) }] : [];
}

function ofRule(record: KnownRecord, rule: SymptomRule): Identity {
  return { key: `${rule.id}|${subjectIn(evidenceOf(record), rule) ?? ''}`, matter: matterOf(rule) };
}

function matterOf(rule: SymptomRule): Matter {
  return MATTERS.get(rule) ?? matterOfRule(rule);
}
