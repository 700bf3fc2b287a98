import { type Claim, claim, placeOf, quote } from '../citation.js';
import { largest } from '../largest.js';
import { type KnownRecord } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';
import { between, formatDuration, plural } from '../wording.js';
import { RecoverySigns } from './recovery.js';

const MOST_SERVICES = 8;
const MOST_ROUTES = 3;

interface Tally {
  count: number;
  readonly first: KnownRecord;
  last: KnownRecord;
}

/** Who and what was hit, for how long, and whether it ended. Records and problems in order of time. */
export async function findImpact(records: readonly KnownRecord[], problems: readonly KnownRecord[], pacer: Pacer): Promise<Claim[]> {
  const [first, last] = [problems[0], problems.at(-1)];
  if (!first || !last) return [];
  const services = new Map<string, Tally>();
  const routes = new Map<string, Tally>();
  const failed = new Map<string, Tally>();
  let requests = 0;
  const recovery = new RecoverySigns();
  await paced(problems, pacer, (record) => {
    if (record.service) add(services, record.service, record);
    if (!record.http || record.http.status < 500) return;
    add(failed, '5xx', record);
    if (record.http.route) add(routes, record.http.route, record);
  });
  await paced(records, pacer, (record) => {
    if (record.http) requests += 1;
    recovery.see(record);
  });
  return [
    period(problems.length, first, last),
    ...requestsFailed(failed.get('5xx'), requests, routes),
    ...servicesHit(services),
    ...recovery.claims(last, records.at(-1) ?? last),
  ];
}

function period(count: number, first: KnownRecord, last: KnownRecord): Claim {
  if (first === last) return claim('One problem in the whole input.', first);
  const ms = between(first.time, last.time);
  return claim(
    `${plural(count, 'problem')}${ms === undefined ? '' : ` within ${formatDuration(ms)}`}, from the first to the last.`,
    first,
    last,
  );
}

function requestsFailed(failed: Tally | undefined, requests: number, routes: ReadonlyMap<string, Tally>): Claim[] {
  if (!failed) return [];
  const share = requests > failed.count ? ` (${Math.round((failed.count / requests) * 100)} %)` : '';
  const all = claim(
    `${failed.count} of ${plural(requests, 'logged request')}${share} were answered with a server error (5xx).`,
    failed.first,
    failed.last,
  );
  const often = new Map([...routes].filter(([, { count }]) => count > 1 || routes.size === 1));
  const worst = most(often, MOST_ROUTES).map(([route, { count, first }]) =>
    claim(`${quote(route, 100)} failed ${plural(count, 'time')}.`, first),
  );
  return [all, ...worst];
}

function servicesHit(services: ReadonlyMap<string, Tally>): Claim[] {
  return most(services, MOST_SERVICES).map(([service, { count, first, last }]) =>
    claim(`${placeOf(first) ?? service} has ${plural(count, 'problem')}.`, first, last),
  );
}

function add(tallies: Map<string, Tally>, name: string, record: KnownRecord): void {
  const tally = tallies.get(name) ?? { count: 0, first: record, last: record };
  tally.count += 1;
  tally.last = record;
  tallies.set(name, tally);
}

function most(tallies: ReadonlyMap<string, Tally>, few: number): (readonly [string, Tally])[] {
  return largest(tallies, few, ([, { count }]) => count).toSorted(([, one], [, other]) => other.count - one.count);
}
