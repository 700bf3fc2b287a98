import { runAnalysis } from '../../fixtures/run-analysis.js';
import { applicationFrame, rootCause, surfaced } from '../stack-trace.js';
import { type KnownRecord } from '../log-record.js';

async function only(text: string): Promise<KnownRecord> {
  const { records } = await runAnalysis(text);
  expect(records).toHaveLength(1);
  return records[0] as KnownRecord;
}

const JAVA = [
  'Exception in thread "main" com.acme.Broken: outer',
  'second line of the message',
  '\tat java.base/java.util.ArrayList.get(ArrayList.java:427)',
  '\tat com.acme.Outer.run(Outer.java:10)',
  '\tSuppressed: java.lang.IllegalStateException: by-product',
  '\t\tat com.acme.Close.close(Close.java:1)',
  'Caused by: java.io.IOException: middle',
  '\tat com.acme.Middle.run(Middle.java:20)',
  '\t... 12 more',
  'Caused by: java.net.UnknownHostException: db',
  '\tat java.base/sun.nio.ch.Net.connect(Native Method)',
  '\t... 14 common frames omitted',
];

describe('Stack traces', () => {
  it('finds the deepest cause of a Java trace, not what was suppressed', async () => {
    const record = await only(JAVA.join('\n'));
    expect(record).toMatchObject({ from: 1, to: 12, severity: 'error' });
    const { trace } = record;
    expect(trace && rootCause(trace)).toMatchObject({ type: 'java.net.UnknownHostException', message: 'db', line: 10 });
    expect(trace && surfaced(trace)).toMatchObject({ type: 'com.acme.Broken', line: 1 });
    expect(trace?.chain).toHaveLength(4);
  });

  it('names the first application frame of the deepest cause that has one', async () => {
    const { trace } = await only(JAVA.join('\n'));
    expect(trace && applicationFrame(trace)).toMatchObject({ call: 'com.acme.Middle.run', place: 'Middle.java:20', from: 8 });
  });

  it('gives frames to the log line above them', async () => {
    const record = await only(['2026-11-30T10:00:00Z ERROR web: failed: com.acme.Broken: x', '\tat com.acme.A.b(A.java:1)'].join('\n'));
    expect(record).toMatchObject({ from: 1, to: 2, service: 'web', message: 'failed: com.acme.Broken: x' });
    expect(record.trace?.chain[0]).toMatchObject({ type: 'com.acme.Broken', message: 'x', line: 1 });
  });

  it('gives a trace with a header of its own to the error above it', async () => {
    const record = await only(['2026-11-30T10:00:00Z ERROR web: failed', ...JAVA].join('\n'));
    expect(record).toMatchObject({ from: 1, to: 13, message: 'failed', detail: 'com.acme.Broken: outer' });
  });

  it('ends a Java trace where a cause has no frames of its own, and reads the next record', async () => {
    const once = (line: string): string[] => [
      `2026-11-30 10:00:00,123 ERROR x - boom ${line}`,
      `java.lang.IllegalStateException: ${line}`,
      '\tat com.acme.A.b(A.java:1)',
      'Caused by: java.io.IOException: y',
      '\t... 3 more',
    ];
    const { records } = await runAnalysis([...once('a'), ...once('b'), ...once('c')].join('\n'));
    expect(records.map(({ from, to, message }) => [from, to, message])).toEqual([
      [1, 5, 'x - boom a'],
      [6, 10, 'x - boom b'],
      [11, 15, 'x - boom c'],
    ]);
    expect(records.map(({ trace }) => trace?.chain.length)).toEqual([2, 2, 2]);
  });

  it('leaves frames alone that belong to nothing', async () => {
    const { records } = await runAnalysis('INFO: all well\n\tat lost.Frame.of(Nowhere.java:1)');
    expect(records.map(({ trace }) => trace)).toEqual([undefined]);
  });

  it('turns a chained Python traceback round: what was printed first is the cause', async () => {
    const { trace } = await only(
      [
        'Traceback (most recent call last):',
        '  File "/srv/app/store.py", line 3, in load',
        '    return table[key]',
        '           ~~~~~^^^^^',
        "KeyError: 'price'",
        '',
        'During handling of the above exception, another exception occurred:',
        '',
        'Traceback (most recent call last):',
        '  File "/srv/app/main.py", line 9, in <module>',
        '    load()',
        '  File "/usr/lib/python3.12/site-packages/x.py", line 1, in wrap',
        '    raise Failed("no price")',
        'app.errors.Failed: no price',
      ].join('\n'),
    );
    expect(trace && rootCause(trace)).toMatchObject({ type: 'KeyError', line: 5 });
    expect(trace && surfaced(trace)).toMatchObject({ type: 'app.errors.Failed', message: 'no price', line: 14 });
    expect(trace && applicationFrame(trace)).toMatchObject({ call: 'load', from: 2 });
  });

  it('reads causes and properties of a Node.js error', async () => {
    const record = await only(
      [
        'TypeError: fetch failed',
        '    at node:internal/deps/undici/undici:12618:11',
        '    at async load (file:///app/src/load.js:4:3) {',
        '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:1',
        '      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {',
        '    errno: -111,',
        "    code: 'ECONNREFUSED'",
        '  }',
        '}',
      ].join('\n'),
    );
    expect(record).toMatchObject({ from: 1, to: 9 });
    expect(record.trace && rootCause(record.trace)).toMatchObject({ message: 'connect ECONNREFUSED 127.0.0.1:1', line: 4 });
    expect(record.trace && applicationFrame(record.trace)).toMatchObject({ call: 'load', place: 'file:///app/src/load.js:4:3' });
  });

  it('takes the frames of a Go panic from the goroutine that failed', async () => {
    const record = await only(
      [
        'panic: assignment to entry in nil map [recovered]',
        '\tpanic: assignment to entry in nil map',
        '',
        'goroutine 1 [running]:',
        'panic({0x1, 0x2})',
        '\t/usr/local/go/src/runtime/panic.go:770 +0x132',
        'main.(*Cache).Put(0xc0, {0x1, 0x2})',
        '\t/src/cache.go:12 +0x1d',
        '',
        'goroutine 7 [select]:',
        'main.other()',
        '\t/src/other.go:1 +0x1',
        'exit status 2',
      ].join('\n'),
    );
    expect(record).toMatchObject({ from: 1, to: 13, severity: 'fatal', message: 'panic: assignment to entry in nil map' });
    expect(record.trace?.chain[0]?.frames).toHaveLength(2);
    expect(record.trace && applicationFrame(record.trace)).toMatchObject({
      call: 'main.(*Cache).Put',
      place: '/src/cache.go:12',
      from: 7,
      to: 8,
    });
  });

  it('reads a trace inside a JSON record on the line of the record', async () => {
    const record = await only(JSON.stringify({ level: 'error', message: 'x', stack_trace: JAVA.join('\n') }));
    expect(record.trace && rootCause(record.trace)).toMatchObject({ type: 'java.net.UnknownHostException', line: 1 });
  });

  it('puts a trace together again that a container runtime cut into lines', async () => {
    const record = await only(JAVA.map((line) => `web-1  | ${line}`).join('\n'));
    expect(record).toMatchObject({ from: 1, to: 12, service: 'web' });
    expect(record.trace && rootCause(record.trace)).toMatchObject({ type: 'java.net.UnknownHostException', line: 10 });
  });
});
