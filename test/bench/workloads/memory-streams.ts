import { type Workload } from '../measure/workload.js';
import { HTTP_PEERS, OURS_EXPRESS, OURS_FASTIFY, RAW, SDK } from './peers.js';
import { streamsWorkload } from './streams.workload.js';

const PEERS = [...HTTP_PEERS, OURS_EXPRESS, OURS_FASTIFY];
const TARGETS = [
  { of: OURS_EXPRESS.name, to: RAW.name, atMost: 2 },
  { of: OURS_FASTIFY.name, to: RAW.name, atMost: 2 },
  { of: OURS_FASTIFY.name, to: SDK.name, atMost: 0.4 },
];

/** SendStreamingMessage with short, middling and long answers of 200-byte chunks. */
export const W3_SHORT: Workload = streamsWorkload({ id: 'W3a', title: '10 chunks', contenders: PEERS, targets: TARGETS, chunks: 10 });
export const W3: Workload = streamsWorkload({ id: 'W3', title: '100 chunks', contenders: PEERS, targets: TARGETS, chunks: 100 });
export const W3_LONG: Workload = streamsWorkload({ id: 'W3b', title: '1,000 chunks', contenders: PEERS, targets: TARGETS, chunks: 1_000 });
