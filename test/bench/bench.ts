import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { formatReport } from './measure/report.js';
import { type Result } from './measure/result.js';
import { type Workload } from './measure/workload.js';
import { W8B } from './workloads/conversation.js';
import { W2_POSTGRES, W2_SQLITE, W3_POSTGRES, W3_SQLITE } from './workloads/durable.js';
import { W6, W6_SMALL } from './workloads/fanout.js';
import { GRPC_W1, GRPC_W3 } from './workloads/grpc.js';
import { W8A } from './workloads/growth.js';
import { IDENTITY } from './workloads/identity.js';
import { STALLS } from './workloads/latency.js';
import { W5 } from './workloads/lists.js';
import { W3, W3_LONG, W3_SHORT } from './workloads/memory-streams.js';
import { W7 } from './workloads/start.js';
import { W1, W2, W4, W9, W9_ETAG } from './workloads/unary.js';

const CALLS: readonly Workload[] = [W1, W2, W2_SQLITE, W2_POSTGRES, W4, W9, W9_ETAG, IDENTITY, GRPC_W1];
const STREAMS: readonly Workload[] = [W3_SHORT, W3, W3_LONG, W3_SQLITE, W3_POSTGRES, STALLS, W6_SMALL, W6, GRPC_W3];
const SIZES: readonly Workload[] = [W5, W7, W8A, W8B];
const WORKLOADS: readonly Workload[] = [...CALLS, ...STREAMS, ...SIZES];

/** `npm run bench -- [ids of workloads] [--rounds 7] [--only "ours,SDK"] [--profile]`. Prints Markdown. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
});
const options = { rounds: Number(values.rounds), profile: values.profile, only: values.only.split(',').filter(Boolean) };
const chosen = positionals.length === 0 ? WORKLOADS : WORKLOADS.filter(({ id }) => positionals.includes(id));
const results: Result[] = [];
for (const workload of chosen) {
  process.stderr.write(`${workload.id} ${workload.title}\n`);
  results.push(await workload.run(options));
}
process.stdout.write(
  `\n${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? ''}\n\n`,
);
process.stdout.write(formatReport(results));
