import { runAnalysis } from '../../fixtures/run-analysis.js';
import { LineList } from '../input/text-lines.js';
import { type KnownRecord, type LogRecord } from '../log-record.js';
import { FORMATS } from './format.registry.js';
import { isoTime } from '../wording.js';

/** What the first format that knows the text makes of its first line. */
function read(text: string): (LogRecord & { readonly iso?: string }) | undefined {
  const lines = new LineList(text.split('\n'), (index) => index);
  for (const format of FORMATS) {
    const reading = format.read(lines, 1);
    if (reading) for (const record of reading.records) return { ...record, iso: isoTime(record.time) };
  }
  return undefined;
}

async function records(text: string): Promise<readonly KnownRecord[]> {
  return (await runAnalysis(text)).records;
}

const READ: readonly (readonly [string, string, object])[] = [
  [
    'syslog of RFC 3164 with priority',
    '<34>Oct 11 22:14:15 mymachine su[231]: login failed for lonvick',
    { format: 'syslog-rfc3164', severity: 'fatal', host: 'mymachine', service: 'su', message: 'login failed for lonvick' },
  ],
  [
    'syslog of RFC 3164 without priority',
    'Feb  5 17:32:18 10.0.0.99 kernel: oops',
    { format: 'syslog-rfc3164', severity: 'unknown', service: 'kernel', message: 'oops' },
  ],
  [
    'syslog with the ISO time of rsyslog',
    '2026-11-30T12:00:00.5+01:00 web-1 sshd[77]: Connection closed',
    { format: 'syslog-rfc3164', iso: '2026-11-30T11:00:00.500Z', service: 'sshd' },
  ],
  [
    'syslog of RFC 5424 with structured data',
    '<165>1 2026-11-30T22:14:15.003Z host evntslog - ID47 [ex@1 a="x \\"]\\" y" b="2"][ex@2 c="3"] An event',
    { format: 'syslog-rfc5424', severity: 'info', host: 'host', service: 'evntslog', message: 'An event', iso: '2026-11-30T22:14:15.003Z' },
  ],
  [
    'syslog of RFC 5424 with nil values',
    '<11>1 - - - - - - lonely',
    { format: 'syslog-rfc5424', severity: 'error', message: 'lonely', host: undefined },
  ],
  [
    'the combined access log',
    '10.0.0.1 - alice [30/Nov/2026:12:00:00 +0100] "GET /a/b?token=1 HTTP/1.1" 503 12 "https://x/" "curl/8" request_id=abc123',
    {
      format: 'access-log',
      severity: 'error',
      http: { status: 503, method: 'GET', route: '/a/b' },
      ids: ['abc123'],
      iso: '2026-11-30T11:00:00.000Z',
    },
  ],
  [
    'an access log line of a broken request',
    '10.0.0.1 - - [30/Nov/2026:12:00:00 +0000] "-" 408 0',
    { format: 'access-log', severity: 'warning', http: { status: 408 } },
  ],
  [
    'the nginx error log',
    '2026/11/30 12:00:00 [error] 31#31: *4711 connect() failed (111: Connection refused) while connecting to upstream',
    { format: 'nginx-error', severity: 'error', message: 'connect() failed (111: Connection refused) while connecting to upstream' },
  ],
  [
    'the Apache error log',
    '[Mon Nov 30 12:00:00.123456 2026] [proxy:error] [pid 4711:tid 1] [client 10.0.0.9:51234] AH00957: attempt to connect failed',
    { format: 'apache-error', severity: 'error', message: 'AH00957: attempt to connect failed', iso: '2026-11-30T12:00:00.123Z' },
  ],
  [
    'pino',
    '{"level":50,"time":1796032801000,"pid":1,"hostname":"h","reqId":"r-000001","msg":"boom","service":"cart"}',
    {
      format: 'json-pino',
      severity: 'error',
      message: 'boom',
      service: 'cart',
      host: 'h',
      ids: ['r-000001'],
      iso: '2026-11-30T10:00:01.000Z',
    },
  ],
  [
    'bunyan',
    '{"name":"cart","hostname":"h","pid":1,"level":60,"msg":"boom","time":"2026-11-30T10:00:01.000Z","v":0}',
    { format: 'json-bunyan', severity: 'fatal', service: 'cart' },
  ],
  [
    'winston',
    '{"level":"warn","message":"slow","timestamp":"2026-11-30T10:00:01Z"}',
    { format: 'json-winston', severity: 'warning', message: 'slow' },
  ],
  [
    'zap, with the error beside the message',
    '{"level":"error","ts":1796032801.25,"logger":"api","msg":"save failed","error":"disk full"}',
    { format: 'json-zap', severity: 'error', service: 'api', message: 'save failed', detail: 'disk full', iso: '2026-11-30T10:00:01.250Z' },
  ],
  [
    'GELF, whose levels are those of syslog',
    '{"version":"1.1","host":"h","short_message":"boom","timestamp":1796032801.5,"level":3}',
    { format: 'json-gelf', severity: 'error', message: 'boom', host: 'h' },
  ],
  [
    'ECS-like JSON with dotted and nested names',
    '{"@timestamp":"2026-11-30T10:00:01Z","log.level":"error","message":"x","service":{"name":"pay"},"trace.id":"abc","error":{"message":"y"}}',
    { severity: 'error', service: 'pay', ids: ['abc'], detail: 'y' },
  ],
  [
    'a row of kubectl get events',
    '3m20s (x12 over 45m)   Warning   BackOff   pod/payments-6d9f7c5b8d-x2x9k   Back-off restarting failed container',
    {
      format: 'kubernetes-events',
      severity: 'error',
      label: 'BackOff',
      service: 'payments',
      repeats: 12,
      time: { ms: -200_000, kind: 'age', zoned: true },
    },
  ],
  [
    'a row of kubectl get events -A',
    'shop    5s    Normal   Pulled   pod/web-0   Container image "a" already present',
    { format: 'kubernetes-events', severity: 'info', label: 'Pulled', service: 'web-0' },
  ],
  [
    'an event of kubectl describe',
    '  Warning  Unhealthy  2m (x5 over 3m)  kubelet  Liveness probe failed',
    { format: 'kubernetes-events', severity: 'error', label: 'Unhealthy', repeats: 5, message: 'Liveness probe failed' },
  ],
  [
    'a Kubernetes event of a watch',
    '{"type":"ADDED","object":{"kind":"Event","type":"Warning","reason":"Failed","note":"n","regarding":{"name":"web-5c9d8f7b6-q7x2m"},"eventTime":"2026-11-30T10:00:00Z"}}',
    { format: 'kubernetes-events-json', severity: 'error', label: 'Failed', message: 'n', service: 'web' },
  ],
  [
    'klog',
    'E1130 12:00:00.123456    4711 kubelet.go:42] Error syncing pod',
    { format: 'klog', severity: 'error', message: 'Error syncing pod' },
  ],
  [
    'the CRI log of a container, with JSON inside',
    '2026-11-30T12:00:00.123456789Z stderr F {"level":"error","message":"inner","service":"pay"}',
    { format: 'container-logs' },
  ],
  ['docker compose', 'web-1  | ERROR: inner', { format: 'container-logs', service: 'web', body: 'ERROR: inner' }],
  [
    'Redis',
    '1:M 30 Nov 2026 16:04:58.201 # Out of memory allocating 80 bytes!',
    { format: 'redis', severity: 'warning', iso: '2026-11-30T16:04:58.201Z' },
  ],
  [
    'logfmt',
    'time=2026-11-30T12:00:00Z level=error msg="payment \\"42\\" failed" service=pay err="disk full"',
    { format: 'logfmt', severity: 'error', message: 'payment "42" failed', detail: 'disk full', service: 'pay' },
  ],
  [
    'Spring Boot',
    '2026-11-30 12:00:00.120 ERROR [orders,9f1c2ab34de5f601,77aa01bc23de4f50] 1 --- [nio-8080-exec-3] c.a.OrderController : Could not save',
    { format: 'application-log', severity: 'error', service: 'orders', message: 'Could not save', ids: ['9f1c2ab34de5f601'] },
  ],
  [
    'Python logging',
    '2026-11-30 12:00:00,123 - billing - WARNING - retrying',
    { format: 'application-log', severity: 'warning', service: 'billing', message: 'retrying' },
  ],
  [
    'PostgreSQL',
    '2026-11-30 12:00:00.123 CET [123] FATAL:  the database system is starting up',
    { format: 'application-log', severity: 'fatal', message: 'the database system is starting up', iso: '2026-11-30T11:00:00.123Z' },
  ],
  [
    'a time of day',
    '10:00:01 ERROR payments: connection to db-1 refused',
    { format: 'application-log', severity: 'error', service: 'payments' },
  ],
  ['a level without a time', '[ERROR] cannot start', { format: 'level-line', severity: 'error', message: 'cannot start' }],
  [
    'prose with a time',
    '- 14:05 UTC customers called',
    { format: 'plain-text', message: 'customers called', time: { ms: 50_700_000, kind: 'clock', zoned: true } },
  ],
];

describe('Formats', () => {
  it.each(READ)('reads %s', (_, text, facts) => {
    expect(read(text)).toMatchObject(facts);
  });

  it.each([
    ['a sentence with an equals sign', 'we set a=b and hoped'],
    ['a table of a report', 'status | meaning'],
    ['a date alone', '2026-11-30'],
  ])('takes %s for plain text', (_, text) => {
    expect(read(text)?.format ?? 'plain-text').toBe('plain-text');
  });

  it('gives each element of a JSON array its own lines, strings with braces included', async () => {
    const text = JSON.stringify(
      [
        { level: 'error', msg: 'a } ] "' },
        { level: 'error', msg: 'b' },
      ],
      null,
      2,
    );
    expect((await records(text)).map(({ from, to, message }) => [from, to, message])).toEqual([
      [2, 5, 'a } ] "'],
      [6, 9, 'b'],
    ]);
  });

  it('reads a pretty-printed record, and goes on after it', async () => {
    const text = `${JSON.stringify({ level: 'error', msg: 'a' }, null, 2)}\nERROR: b`;
    expect((await records(text)).map(({ from, message }) => [from, message])).toEqual([
      [1, 'a'],
      [5, 'b'],
    ]);
  });

  it('reads what stands inside container and syslog lines', async () => {
    const [record] = await records(
      'Nov 30 10:00:00 h app[1]: {"level":"error","msg":"inner","service":"pay","time":"2026-11-30T10:00:00.5Z"}',
    );
    expect(record).toMatchObject({ message: 'inner', service: 'pay', host: 'h', severity: 'error', format: 'syslog-rfc3164' });
    expect(isoTime(record?.time)).toBe('2026-11-30T10:00:00.500Z');
  });
});
