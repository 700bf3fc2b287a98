import { getTask, sendMessage } from '../load/calls.js';
import { type HttpLoad, type Request } from '../load/http-load.js';
import { type Contender } from '../measure/contender.js';
import { type Workload } from '../measure/workload.js';
import { callsWorkload } from './calls.workload.js';
import { HTTP_PEERS, NEST_EXPRESS, NEST_FASTIFY, OURS_EXPRESS, OURS_FASTIFY, RAW, SDK } from './peers.js';

const BOTH = [...HTTP_PEERS, OURS_EXPRESS, OURS_FASTIFY];

/** A message that is answered by a message. */
export const W1: Workload = callsWorkload({
  id: 'W1',
  title: 'SendMessage → Message',
  contenders: BOTH,
  targets: [
    { of: OURS_EXPRESS.name, to: NEST_EXPRESS.name, atMost: 1.3 },
    { of: OURS_FASTIFY.name, to: NEST_FASTIFY.name, atMost: 1.3 },
    { of: OURS_EXPRESS.name, to: SDK.name, atMost: 0.85 },
    { of: OURS_FASTIFY.name, to: SDK.name, atMost: 0.45 },
  ],
  prepare: async () => sendMessage('echo'),
});

/** A task that is made, worked on and completed while the caller waits. */
export const W2: Workload = callsWorkload({
  id: 'W2',
  title: 'blocking SendMessage → Task, memory',
  contenders: BOTH,
  targets: [
    { of: OURS_EXPRESS.name, to: NEST_EXPRESS.name, atMost: 1.5 },
    { of: OURS_FASTIFY.name, to: NEST_FASTIFY.name, atMost: 1.5 },
    { of: OURS_FASTIFY.name, to: SDK.name, atMost: 0.5 },
  ],
  prepare: async () => sendMessage('task'),
});

/** A finished task whose history has 50 messages of 200 characters. */
export const W4: Workload = callsWorkload({
  id: 'W4',
  title: 'GetTask, 50 messages',
  contenders: BOTH,
  targets: [
    { of: OURS_EXPRESS.name, to: NEST_EXPRESS.name, atMost: 1.5 },
    { of: OURS_FASTIFY.name, to: NEST_FASTIFY.name, atMost: 1.5 },
    { of: OURS_EXPRESS.name, to: SDK.name, atMost: 0.85 },
  ],
  prepare: async (load, contender) => getTask(await taskWithHistory(load, contender)),
});

async function taskWithHistory(load: HttpLoad, { spec }: Contender): Promise<string> {
  if (spec.server === RAW.server || spec.server === NEST_EXPRESS.server) return 'any';
  const { body } = await load.run(sendMessage('history 50'), 1);
  return taskIdIn(body);
}

/** Id of the task in an answer to SendMessage. */
export function taskIdIn(body: string): string {
  const { result } = JSON.parse(body) as { result: { task: { id: string } } };
  return result.task.id;
}

/** The public card. */
export const W9: Workload = callsWorkload({
  id: 'W9',
  title: 'GET of the card',
  contenders: BOTH,
  targets: [
    { of: OURS_EXPRESS.name, to: NEST_EXPRESS.name, atMost: 1.2 },
    { of: OURS_FASTIFY.name, to: NEST_FASTIFY.name, atMost: 1.2 },
    { of: OURS_EXPRESS.name, to: SDK.name, atMost: 1 },
    { of: OURS_FASTIFY.name, to: SDK.name, atMost: 0.5 },
  ],
  prepare: async () => CARD,
});

/** The card, by somebody who has it already. */
export const W9_ETAG: Workload = callsWorkload({
  id: 'W9e',
  title: 'GET of the card with If-None-Match',
  contenders: [SDK, OURS_EXPRESS, OURS_FASTIFY],
  targets: [
    { of: OURS_EXPRESS.name, to: SDK.name, atMost: 1 },
    { of: OURS_FASTIFY.name, to: SDK.name, atMost: 0.5 },
  ],
  prepare: async (_, contender): Promise<Request> => {
    const response = await fetch(`http://127.0.0.1:${contender.ports.http}${CARD.path}`);
    await response.arrayBuffer();
    return { ...CARD, headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
  },
});

const CARD: Request = { method: 'GET', path: '/.well-known/agent-card.json' };
