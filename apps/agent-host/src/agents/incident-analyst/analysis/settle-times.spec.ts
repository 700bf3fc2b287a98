import { runAnalysis } from '../fixtures/run-analysis.js';
import { timeAt, timeOfValue } from './input/timestamps.js';
import { formatMoment, isoTime } from './wording.js';

async function times(text: string, nowMs?: number): Promise<(string | undefined)[]> {
  const { records } = await runAnalysis(text, nowMs === undefined ? {} : { nowMs });
  return records.map(({ time }) => isoTime(time) ?? formatMoment(time));
}

describe('Times', () => {
  it.each([
    ['2026-11-30T12:00:00Z', '2026-11-30T12:00:00.000Z'],
    ['2026-11-30 12:00:00,250 +0530', '2026-11-30T06:30:00.250Z'],
    ['2026/11/30 12:00:00', '2026-11-30T12:00:00.000Z'],
    ['30/Nov/2026:12:00:00 -0800', '2026-11-30T20:00:00.000Z'],
    ['30-Nov-2026 12:00:00.5', '2026-11-30T12:00:00.500Z'],
    ['Mon Nov 30 12:00:00.123456 2026', '2026-11-30T12:00:00.123Z'],
    ['Mon, 30 Nov 2026 12:00:00 GMT', '2026-11-30T12:00:00.000Z'],
    ['2026-11-30 12:00:00 EST', '2026-11-30T17:00:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(isoTime(timeAt(text)?.time)).toBe(iso);
  });

  it.each([
    [1_796_032_801, '2026-11-30T10:00:01.000Z'],
    [1_796_032_801.5, '2026-11-30T10:00:01.500Z'],
    [1_796_032_801_250, '2026-11-30T10:00:01.250Z'],
    [1_796_032_801_250_000, '2026-11-30T10:00:01.250Z'],
    ['1796032801250000000', '2026-11-30T10:00:01.250Z'],
  ])('reads the epoch %s in its own unit', (value, iso) => {
    expect(isoTime(timeOfValue(value))).toBe(iso);
  });

  it.each(['2026-13-01T00:00:00Z', '2026-11-30T25:00:00Z', '30/Abc/2026:12:00:00', 'yesterday', ''])('reads no time in %s', (text) => {
    expect(timeAt(text)).toBeUndefined();
  });

  it('gives a time without a year the year of the other lines', async () => {
    expect(await times('2023-12-31T23:59:59Z ERROR a: x\nJan  1 00:00:01 h app[1]: y')).toEqual([
      '2023-12-31T23:59:59.000Z',
      '2024-01-01T00:00:01.000Z',
    ]);
  });

  it('gives a time without a year the latest year that is not in the future', async () => {
    expect(await times('Dec 31 10:00:00 h app[1]: y', Date.UTC(2026, 0, 2))).toEqual(['2025-12-31T10:00:00.000Z']);
  });

  it('gives a time of day the date of the line above, over midnight too', async () => {
    expect(await times('2026-11-30T23:59:58Z ERROR a: x\n00:00:03 ERROR b: y')).toEqual([
      '2026-11-30T23:59:58.000Z',
      '2026-12-01T00:00:03.000Z',
    ]);
  });

  it('shows a time of day alone when the input has no date', async () => {
    expect(await times('10:00:01 ERROR a: x')).toEqual(['10:00:01']);
  });

  it('counts an age back from the latest time of the input, and says that it is approximate', async () => {
    const { records } = await runAnalysis('2026-11-30T10:05:00Z ERROR a: x\n2m   Warning   BackOff   pod/web-0   Back-off');
    expect(records.map(({ time }) => formatMoment(time))).toEqual(['≈ 2026-11-30 10:03:00Z', '2026-11-30 10:05:00Z']);
  });

  it('puts a line without a time behind the line above it', async () => {
    const { records } = await runAnalysis(
      '2026-11-30T10:00:02Z ERROR a: later\nERROR: its neighbour\n2026-11-30T10:00:01Z ERROR a: earlier',
    );
    expect(records.map(({ from }) => from)).toEqual([3, 1, 2]);
  });

  it('puts an access log line behind what was logged within the same second', async () => {
    const { records } = await runAnalysis(
      '10.0.0.1 - - [30/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 500 1\n2026-11-30T12:00:00.400Z ERROR a: why',
    );
    expect(records.map(({ from }) => from)).toEqual([2, 1]);
  });
});
