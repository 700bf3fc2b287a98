import { faultsOf } from '../../fixtures/report-check.js';
import { runAnalysis } from '../../fixtures/run-analysis.js';
import { markdownReport } from '../report/markdown-report.js';

function at(second: number, text: string): string {
  return `${new Date(Date.UTC(2026, 10, 30, 10) + second * 1_000).toISOString()} ${text}`;
}

describe('Recovery', () => {
  const request = (second: number, path: string, status: number) =>
    `10.0.0.1 - - [30/Nov/2026:10:00:${String(second).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" ${status} 12`;

  it('is seen in a start after the last problem', async () => {
    const analysis = await runAnalysis(
      [at(0, 'kernel: Out of memory: Killed process 812 (java)'), at(20, 'orders: INFO started in 7.9 s')].join('\n'),
    );
    const report = markdownReport(analysis);
    expect(report).toContain('After the last problem comes a start, `started in 7.9 s`; no problem follows it. [L2], [L1]');
    expect(report).not.toContain('no recovery');
    expect(faultsOf(report, analysis)).toEqual([]);
  });

  it('is seen in requests that succeed again', async () => {
    const analysis = await runAnalysis([request(1, '/pay', 503), request(2, '/pay', 503), request(9, '/pay', 200)].join('\n'));
    const report = markdownReport(analysis);
    expect(report).toContain('`/pay` is answered without error again, after its last failure. [L3], [L2]');
    expect(report).not.toContain('no recovery');
    expect(faultsOf(report, analysis)).toEqual([]);
  });

  it('is not seen in other paths, nor in a success or start before the last failure', async () => {
    const other = await runAnalysis([request(1, '/pay', 503), request(2, '/', 200)].join('\n'));
    expect(markdownReport(other)).toContain('The input reports no recovery');
    const before = await runAnalysis([request(1, '/pay', 503), request(2, '/pay', 200), request(3, '/pay', 503)].join('\n'));
    expect(markdownReport(before)).toContain('The input reports no recovery');
    const start = await runAnalysis([at(0, 'INFO web: started in 2 s'), at(1, 'ERROR web: odd thing')].join('\n'));
    expect(markdownReport(start)).toContain('The input reports no recovery');
  });
});
