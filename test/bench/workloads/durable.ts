import { join } from 'node:path';
import { sendMessage } from '../load/calls.js';
import { type ContenderSpec } from '../measure/contender.js';
import { type BenchOptions, type Workload } from '../measure/workload.js';
import { callsWorkload } from './calls.workload.js';
import { OURS_FASTIFY, SDK, withDirectory } from './peers.js';
import { streamsWorkload } from './streams.workload.js';

/** The platform with every commit on disk before it is acknowledged, on the same adapter as the floor's bare server would be closest to. */
function onStore(storeUrl: (name: string) => string): Record<'ours' | 'floor' | 'sdk', ContenderSpec> {
  return {
    ours: { name: 'ours, durable', server: 'ours', options: { adapter: 'fastify', storeUrl: storeUrl('ours') } },
    floor: { name: 'durable floor', server: 'floor', options: { storeUrl: storeUrl('floor') }, streamPath: '/rpc/stream' },
    sdk: { name: 'SDK, durable', server: 'sdk', options: { storeUrl: storeUrl('sdk') } },
  };
}

const W2_TARGETS = [
  { of: 'ours, durable', to: 'durable floor', atMost: 1.5 },
  { of: 'ours, durable', to: 'SDK, durable', atMost: 0.3 },
  { of: 'ours, durable', to: SDK.name, atMost: 1.2 },
];
const W3_TARGETS = [
  { of: 'ours, durable', to: 'durable floor', atMost: 1.5 },
  { of: 'ours, durable', to: SDK.name, atMost: 0.4 },
];

/** As W2, every event on SQLite's disk. */
export const W2_SQLITE: Workload = onSqlite('W2s', 'blocking SendMessage → Task, SQLite', (id, title, { ours, floor, sdk }) =>
  callsWorkload({
    id,
    title,
    contenders: [floor, sdk, SDK, OURS_FASTIFY, ours],
    targets: W2_TARGETS,
    prepare: async () => sendMessage('task'),
    calls: 500,
  }),
);

/** As W3, every event on SQLite's disk. */
export const W3_SQLITE: Workload = onSqlite('W3s', '100 chunks, SQLite', (id, title, { ours, floor, sdk }) =>
  streamsWorkload({ id, title, contenders: [floor, sdk, SDK, OURS_FASTIFY, ours], targets: W3_TARGETS, chunks: 100 }),
);

type Make = (id: string, title: string, stores: ReturnType<typeof onStore>) => Workload;

function onSqlite(id: string, title: string, make: Make): Workload {
  const run = (options: BenchOptions) =>
    withDirectory((directory) =>
      make(
        id,
        title,
        onStore((name) => `sqlite:${join(directory, `${name}.sqlite`)}`),
      ).run(options),
    );
  return { id, title, run };
}
