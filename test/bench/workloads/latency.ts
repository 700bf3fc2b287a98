import { beginTask, streamMessage, subscribe } from '../load/calls.js';
import { Connection, format, HttpLoad } from '../load/http-load.js';
import { StreamLoad } from '../load/stream-load.js';
import { type Contender } from '../measure/contender.js';
import { type Claim, type Result, type Row } from '../measure/result.js';
import { type Spread, spreadOf } from '../measure/rounds.js';
import { type BenchOptions, withContenders, type Workload } from '../measure/workload.js';
import { NEST_FASTIFY, OURS_FASTIFY, SDK } from './peers.js';
import { taskIdIn } from './unary.js';

const STREAMS = 60;
const LEAVERS = 200;

/** How soon a stream begins, whom an agent that never yields keeps waiting, and what readers cost that have left. */
export const STALLS: Workload = { id: 'FE', title: 'first event, agents that never yield, readers that left', run };

async function run(options: BenchOptions): Promise<Result> {
  return withContenders([NEST_FASTIFY, SDK, OURS_FASTIFY], options, async (contenders) => {
    const rows: Row[] = [];
    const claims: Claim[] = [];
    const begun = new Map<string, Spread>();
    for (const contender of contenders) {
      const { name } = contender;
      await firstEvents(contender, 'stream 3');
      begun.set(name, await firstEvents(contender, 'stream 3'));
      rows.push({ name: `${name}, first event`, figure: begun.get(name) as Spread, unit: 'ms' });
      if (name === NEST_FASTIFY.name) continue;
      const flood = await whileFlooded(contender);
      rows.push({ name: `${name}, first of 1,000 unyielding chunks`, figure: flood.first, unit: 'ms' });
      rows.push({ name: `${name}, another client meanwhile, at worst`, figure: flood.other, unit: 'ms' });
      const left = await afterLeaving(contender, options.rounds);
      rows.push({ name: `${name}, 200 readers that left ÷ none`, figure: left, unit: '' });
      if (name === SDK.name) continue;
      claims.push({ text: `${name}, first of 1,000 unyielding chunks, ms`, measured: flood.first, atMost: 10 });
      claims.push({ text: `${name}, another client meanwhile, ms at worst`, measured: flood.other, atMost: 50 });
      claims.push({ text: `${name}, 200 readers that left ÷ none`, measured: left, atMost: 1.2 });
    }
    const [ours, bare] = [begun.get(OURS_FASTIFY.name), begun.get(NEST_FASTIFY.name)];
    if (ours && bare) claims.push({ text: 'first event ÷ bare Nest, Fastify', measured: spreadOf([ours.median / bare.median]), atMost: 2 });
    return { id: STALLS.id, title: STALLS.title, rows, claims };
  });
}

async function firstEvents({ ports, streamPath }: Contender, text: string): Promise<Spread> {
  const times: number[] = [];
  for (let index = 0; index < STREAMS; index++) times.push(await firstEvent(ports.http, text, streamPath));
  return spreadOf(times);
}

async function firstEvent(port: number, text: string, path: string): Promise<number> {
  const connection = await Connection.open(port);
  const asked = performance.now();
  let first = Number.NaN;
  connection.onFirstEvent = () => (first = performance.now() - asked);
  await connection.ask(format(streamMessage(text, path), port));
  connection.close();
  return first;
}

/** One client streams a thousand chunks that the agent makes in one go; another asks for the card all the while. */
async function whileFlooded({ ports, streamPath }: Contender): Promise<{ first: Spread; other: Spread }> {
  const load = await HttpLoad.open(ports.http, 1);
  const firsts: number[] = [];
  const worsts: number[] = [];
  for (let time = 0; time < 3; time++) {
    const flood = { isOver: false };
    const begun = firstEvent(ports.http, 'flood 1000', streamPath).finally(() => (flood.isOver = true));
    let worst = 0;
    while (!flood.isOver) {
      const asked = performance.now();
      await load.run({ method: 'GET', path: '/.well-known/agent-card.json' }, 1);
      worst = Math.max(worst, performance.now() - asked);
    }
    firsts.push(await begun);
    worsts.push(worst);
  }
  load.close();
  return { first: spreadOf(firsts), other: spreadOf(worsts) };
}

/** The cost of a task that nobody reads any more, to one that nobody ever read. */
async function afterLeaving(contender: Contender, rounds: number): Promise<Spread> {
  const ratios: number[] = [];
  for (let round = 0; round < Math.min(rounds, 5); round++) {
    const alone = await runAlone(contender, 0);
    const left = await runAlone(contender, LEAVERS);
    if (round > 0) ratios.push(left / alone);
  }
  return spreadOf(ratios);
}

async function runAlone(contender: Contender, leavers: number): Promise<number> {
  const load = await HttpLoad.open(contender.ports.http, 1);
  const { body } = await load.run(beginTask('fanout 60'), 1);
  const taskId = taskIdIn(body);
  if (leavers > 0) {
    const streams = await StreamLoad.open(contender.ports.http, leavers);
    void (await streams.subscribe(subscribe(taskId, '/rpc'))).ended.catch(() => undefined);
    streams.close();
  }
  // One reader stays to see the end.
  const witness = await StreamLoad.open(contender.ports.http, 1);
  const { ended } = await witness.subscribe(subscribe(taskId, '/rpc'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = await contender.cpu();
  await contender.ask('go');
  await ended;
  const spent = (await contender.cpu()) - before;
  witness.close();
  load.close();
  return spent;
}
