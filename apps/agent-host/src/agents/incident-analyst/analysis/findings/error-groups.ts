import { type KnownRecord, type Severity } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';
import { worse } from '../severity.js';
import { signatureOf } from './signature.js';

/** Names kept of one group. */
const MOST_SOURCES = 20;

/** All records with one signature. */
export interface ErrorGroup {
  readonly signature: string;
  /** Occurrences, those that the input counts by itself included. */
  readonly count: number;
  readonly severity: Severity;
  readonly first: KnownRecord;
  readonly last: KnownRecord;
  /** Services, or hosts where no service is known. */
  readonly sources: readonly string[];
}

interface Growing {
  readonly signature: string;
  count: number;
  severity: Severity;
  readonly first: KnownRecord;
  last: KnownRecord;
  readonly sources: string[];
}

/** Groups records by signature, the earliest group first. @param records in order of time */
export async function groupErrors(records: readonly KnownRecord[], pacer: Pacer): Promise<ErrorGroup[]> {
  const groups = new Map<string, Growing>();
  await paced(
    records,
    pacer,
    (record) => {
      const signature = record.signature ?? signatureOf(record);
      const group = groups.get(signature) ?? { signature, count: 0, severity: 'unknown', first: record, last: record, sources: [] };
      group.count += record.repeats ?? 1;
      group.severity = worse(group.severity, record.severity === 'unknown' ? 'warning' : record.severity);
      group.last = record;
      const source = record.service ?? record.host;
      if (source && group.sources.length < MOST_SOURCES && !group.sources.includes(source)) group.sources.push(source);
      groups.set(signature, group);
    },
    512,
  );
  return [...groups.values()];
}
