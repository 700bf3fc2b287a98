import { quote } from '../citation.js';
import { type KnownRecord, wordsOf } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';
import { applicationFrame, rootCause } from '../stack-trace.js';
import { evidenceOf } from './known-record.js';
import { signatureOf } from './signature.js';
import { type SymptomRule } from './symptom-rule.js';
import { subjectIn } from './symptom.registry.js';

/** Problems that may be one suspect, before the evidence is weighed. */
export interface Draft {
  readonly id: string;
  readonly kind: 'cause' | 'effect' | 'change';
  readonly title: string;
  readonly means: string;
  readonly weight: number;
  readonly nextSteps: readonly string[];
  /** In order of time, the first few. */
  readonly records: KnownRecord[];
  /** Occurrences, those that the input counts by itself included. */
  count: number;
  last: KnownRecord;
  /** Place of the first record among all problems (among all changes, for a change). */
  readonly order: number;
}

type Identity = Pick<Draft, 'id' | 'kind' | 'title' | 'means' | 'weight' | 'nextSteps'> & { readonly key: string };

/** Records of one draft that are looked at in detail. */
const MOST_RECORDS = 50;

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
      for (const { key, ...identity } of identify(record)) {
        const draft = drafts.get(key) ?? { ...identity, records: [], count: 0, last: record, order };
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
  if (signs.length > 0) return signs.slice(0, record.format === 'plain-text' ? 3 : 1).map((rule) => ofRule(record, rule));
  if (record.trace) return [ofException(record, record.trace)];
  if (record.http) return record.http.status >= 500 ? [SERVER_ERRORS] : [];
  return [ofUnknown(record)];
}

/** What a change is. */
export function identifyChange(record: KnownRecord): readonly Identity[] {
  const rule = record.symptoms.find(({ kind }) => kind === 'change');
  return rule ? [{ ...ofRule(record, rule), key: `${rule.id}|${record.service ?? ''}` }] : [];
}

function ofRule(record: KnownRecord, rule: SymptomRule): Identity {
  const subject = subjectIn(evidenceOf(record), rule);
  const { id, means, weight, nextSteps } = rule;
  const kind = rule.kind === 'recovery' ? 'effect' : rule.kind;
  return {
    key: `${id}|${subject ?? ''}`,
    id,
    kind,
    means,
    weight,
    nextSteps,
    title: subject ? `${rule.title}: ${quote(subject, 100)}` : rule.title,
  };
}

function ofException(record: KnownRecord, trace: NonNullable<KnownRecord['trace']>): Identity {
  const { type } = rootCause(trace);
  const frame = applicationFrame(trace);
  return {
    key: `exception|${signatureOf(record)}`,
    id: 'exception',
    kind: 'cause',
    title: frame?.call ? `${quote(type, 100)} in ${quote(frame.call, 100)}` : quote(type, 100),
    means: 'Code failed with an error that it did not handle.',
    weight: 48,
    nextSteps: ['Read the code at the first application frame, and compare it with the last version that worked.'],
  };
}

function ofUnknown(record: KnownRecord): Identity {
  return {
    key: `unknown|${signatureOf(record)}`,
    id: 'unknown-error',
    kind: 'cause',
    title: `Error ${quote(wordsOf({ ...record, label: undefined, detail: undefined }), 80)}`,
    means: 'An error of a kind that this analysis does not know by sight.',
    weight: record.severity === 'unknown' || record.severity === 'warning' ? 18 : 30,
    nextSteps: ['Read the lines before it, and look for the same message in earlier, healthy logs.'],
  };
}

const SERVER_ERRORS: Identity = {
  key: 'server-errors',
  id: 'server-errors',
  kind: 'effect',
  title: 'Server errors (HTTP 5xx)',
  means: 'Requests were answered with server errors.',
  weight: 16,
  nextSteps: ['Look at the log of the service that answered them, at the same times.'],
};
