import { type KnownRecord } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';
import { evidenceOf } from './known-record.js';

/** Problems of one request that are remembered. */
const MOST_OF_A_REQUEST = 10;
const MOST_SERVICES = 200;
/** Names too common to mean one service. */
const NOT_A_NAME = new Set([
  'app',
  'main',
  'nginx',
  'apache',
  'kernel',
  'systemd',
  'root',
  'http',
  'https',
  'error',
  'server',
  'service',
  'api',
  'log',
]);

/** How problems belong together across services. */
export interface Correlation {
  /** Problems with the same request or trace id, in order of time. */
  readonly byId: ReadonlyMap<string, readonly KnownRecord[]>;
  /** By service: the first problem of another service that names it. */
  readonly namedBy: ReadonlyMap<string, KnownRecord>;
}

/** @param records all records · @param problems those that are problems, in order of time */
export async function correlate(records: readonly KnownRecord[], problems: readonly KnownRecord[], pacer: Pacer): Promise<Correlation> {
  const services = new Set<string>();
  await paced(records, pacer, ({ service }) => {
    if (service && service.length > 2 && services.size < MOST_SERVICES && !NOT_A_NAME.has(service)) services.add(service);
  });
  const byId = new Map<string, KnownRecord[]>();
  const namedBy = new Map<string, KnownRecord>();
  await paced(
    problems,
    pacer,
    (record) => {
      for (const id of record.ids ?? []) {
        const sharing = byId.get(id) ?? [];
        if (sharing.length < MOST_OF_A_REQUEST) sharing.push(record);
        byId.set(id, sharing);
      }
      if (services.size < 2 || !record.service) return;
      for (const [word] of evidenceOf(record).matchAll(/[A-Za-z][\w-]*/g)) {
        if (services.has(word) && word !== record.service && !namedBy.has(word)) namedBy.set(word, record);
      }
    },
    512,
  );
  return { byId, namedBy };
}
