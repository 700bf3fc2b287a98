import { join } from 'node:path';
import { listTasks } from '../load/calls.js';
import { HttpLoad, type Request } from '../load/http-load.js';
import { Contender, type ContenderSpec } from '../measure/contender.js';
import { claimsOf, type Result, rowsOf } from '../measure/result.js';
import { measureRounds } from '../measure/rounds.js';
import { type BenchOptions, withContenders, type Workload } from '../measure/workload.js';
import { SMALL_CONTEXT } from '../servers/seeded-tasks.js';
import { withDirectory } from './peers.js';

const SMALL = '1 k';
const LARGE = '100 k';
const SIZES = { [SMALL]: 1_000, [LARGE]: 100_000 };
const CALLS = 60;
/** Pages of 50 behind the first. */
const DEEP = 15;

/** The first page, a later one, and pages of the 50 tasks that match a filter, with few and with many tasks in the store. */
const QUESTIONS: Readonly<Record<string, object>> = {
  'first page': { pageSize: 50 },
  'deep page': { pageSize: 50 },
  'by state': { pageSize: 50, status: 'TASK_STATE_FAILED' },
  'by context': { pageSize: 50, contextId: SMALL_CONTEXT },
};

/** ListTasks with `totalSize`, on every store. */
export const W5: Workload = { id: 'W5', title: 'ListTasks, 50 of 1 k and of 100 k', run };

function run(options: BenchOptions): Promise<Result> {
  return withDirectory(async (directory) => {
    const specs = Object.entries(SIZES).flatMap(([size, tasks]) => contendersOf(size, tasks, directory));
    const results = await withContenders(specs, options, async (contenders) => {
      const found: Result[] = [];
      for (const [question, filter] of Object.entries(QUESTIONS)) found.push(await ask(question, filter, contenders, options));
      return found;
    });
    return { id: W5.id, title: W5.title, rows: results.flatMap(({ rows }) => rows), claims: results.flatMap(({ claims }) => claims) };
  });
}

function contendersOf(size: string, tasks: number, directory: string): ContenderSpec[] {
  const storeUrl = `sqlite:${join(directory, `${tasks}.sqlite`)}`;
  return [
    { name: `ours, memory, ${size}`, server: 'ours', options: { adapter: 'fastify', tasks } },
    { name: `ours, SQLite, ${size}`, server: 'ours', options: { adapter: 'fastify', storeUrl, tasks } },
    { name: `SDK, memory, ${size}`, server: 'sdk', options: { tasks } },
  ];
}

async function ask(question: string, filter: object, contenders: readonly Contender[], options: BenchOptions): Promise<Result> {
  const requests = new Map<Contender, Request>();
  for (const contender of contenders) requests.set(contender, await requestFor(question, filter, contender));
  const work = async (contender: Contender): Promise<number> => {
    const load = await HttpLoad.open(contender.ports.http, 4);
    await load.run(requests.get(contender) as Request, CALLS);
    load.close();
    return CALLS;
  };
  const figures = await measureRounds(contenders, Math.min(options.rounds, 5), work, 2);
  const named = new Map([...figures].map(([name, values]) => [`${name}, ${question}`, values]));
  const targets = ['ours, memory', 'ours, SQLite'].map((name) => ({
    of: `${name}, ${LARGE}, ${question}`,
    to: `${name}, ${SMALL}, ${question}`,
    atMost: 1.3,
  }));
  return { id: W5.id, title: question, rows: rowsOf(named, 'µs a call'), claims: claimsOf(named, targets) };
}

async function requestFor(question: string, filter: object, { ports }: Contender): Promise<Request> {
  if (question !== 'deep page') return listTasks(filter);
  const load = await HttpLoad.open(ports.http, 1);
  let pageToken = '';
  for (let page = 0; page < DEEP; page++) {
    const { body } = await load.run(listTasks({ ...filter, pageToken }), 1);
    pageToken = (JSON.parse(body) as { result: { nextPageToken: string } }).result.nextPageToken;
  }
  load.close();
  return listTasks({ ...filter, pageToken });
}
