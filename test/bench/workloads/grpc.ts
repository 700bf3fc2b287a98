import { GrpcLoad } from '../load/grpc-load.js';
import { type Contender, type ContenderSpec } from '../measure/contender.js';
import { claimsOf, type Result, rowsOf, type Target } from '../measure/result.js';
import { measureRounds } from '../measure/rounds.js';
import { type BenchOptions, printProfile, withContenders, type Workload } from '../measure/workload.js';
import { OURS_EXPRESS, SDK } from './peers.js';

const RAW: ContenderSpec = { name: 'grpc-js', server: 'grpc-raw' };
const NEST: ContenderSpec = { name: 'bare Nest, gRPC', server: 'grpc-nest' };
const OURS: ContenderSpec = { ...OURS_EXPRESS, name: 'ours, gRPC', options: { adapter: 'express', grpc: true } };
const SDK_GRPC: ContenderSpec = { ...SDK, name: 'SDK, gRPC' };

const CALLS = 1_000;
const CHUNKS = 100;
const STREAMS = 40;

/** As W1, over gRPC. */
export const GRPC_W1 = grpcWorkload(
  'gW1',
  'SendMessage → Message, gRPC',
  [
    { of: OURS.name, to: NEST.name, atMost: 1.3 },
    { of: OURS.name, to: SDK_GRPC.name, atMost: 0.9 },
  ],
  'µs a call',
  async (load) => {
    await load.unary('echo', CALLS, 8);
    return CALLS;
  },
);

/** As W3, over gRPC. */
export const GRPC_W3 = grpcWorkload(
  'gW3',
  '100 chunks, gRPC',
  [
    { of: OURS.name, to: RAW.name, atMost: 2 },
    { of: OURS.name, to: SDK_GRPC.name, atMost: 0.4 },
  ],
  'µs an event',
  async (load) => {
    await load.streams(`stream ${CHUNKS}`, STREAMS, 4);
    return STREAMS * CHUNKS;
  },
);

function grpcWorkload(
  id: string,
  title: string,
  targets: readonly Target[],
  unit: string,
  call: (load: GrpcLoad) => Promise<number>,
): Workload {
  const work = async ({ ports }: Contender): Promise<number> => {
    const load = new GrpcLoad(ports.grpc ?? 0);
    const operations = await call(load);
    load.close();
    return operations;
  };
  const run = (options: BenchOptions): Promise<Result> =>
    withContenders([RAW, NEST, SDK_GRPC, OURS], options, async (contenders) => {
      const figures = await measureRounds(contenders, options.rounds, work);
      if (options.profile) await printProfile(contenders, work);
      return { id, title, rows: rowsOf(figures, unit), claims: claimsOf(figures, targets) };
    });
  return { id, title, run };
}
