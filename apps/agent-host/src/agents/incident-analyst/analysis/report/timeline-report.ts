import { type Analysis } from '../analysis.js';
import { formatClaim } from '../citation.js';
import { type TimelineEntry } from '../findings/timeline.js';
import { formatMoment, isoTime } from '../wording.js';

const MARKS: Readonly<Record<TimelineEntry['kind'], string>> = {
  change: '🔧 change',
  problem: '❗ problem',
  recovery: '✅ recovery',
  note: '📝 note',
  burst: '🔥 burst',
  gap: '⏸ gap',
};

/** The timeline as a Markdown table, in UTC, with how times were read below it. */
export function markdownTimeline({ timeline, notes }: Analysis): string {
  const rows = timeline.map(({ kind, time, where, text, lines }) => {
    const cells = [formatMoment(time), MARKS[kind], where ?? '', formatClaim({ text, lines })];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const table = ['| Time (UTC) | What | Where | Details |', '| --- | --- | --- | --- |', ...rows];
  const body = rows.length > 0 ? table : ['Nothing happened that a timeline could show.'];
  return ['# Timeline', '', ...body, '', ...notes.map((note) => `- ${formatClaim(note)}`)].join('\n').trimEnd() + '\n';
}

/** The timeline as JSON: ISO times in UTC where the input gives a date. */
export function timelineData({ timeline }: Analysis) {
  return timeline.map(({ kind, time, service, text, lines }) => ({
    kind,
    ...(isoTime(time) ? { time: isoTime(time) as string } : time ? { timeText: formatMoment(time) } : {}),
    ...(time?.approximate ? { approximate: true } : {}),
    ...(service ? { service } : {}),
    text,
    lines: lines.map(({ from, to }) => ({ from, to })),
  }));
}
