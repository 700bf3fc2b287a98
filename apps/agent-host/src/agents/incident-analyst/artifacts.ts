import { dataPart, type TaskArtifactUpdateEvent, textPart, type TurnContext } from '@a2a/a2a-core';
import { type Analysis } from './analysis/analysis.js';
import { errorCsv, errorData, errorMarkdown } from './analysis/report/error-report.js';
import { markdownReport } from './analysis/report/markdown-report.js';
import { markdownTimeline, timelineData } from './analysis/report/timeline-report.js';

/** What each artifact can be made in, the best first. Plain text is the Markdown, which reads well without being rendered. */
export const REPORT_MODES = ['text/markdown', 'text/plain'] as const;
export const TIMELINE_MODES = ['text/markdown', 'text/plain', 'application/json'] as const;
export const ERROR_MODES = ['application/json', 'text/csv', 'text/markdown', 'text/plain'] as const;

/** The analysis for people; undefined when the caller can use no text. */
export function reportArtifact(turn: TurnContext, analysis: Analysis): TaskArtifactUpdateEvent | undefined {
  const mediaType = turn.preferredOutputMode(REPORT_MODES);
  if (!mediaType) return undefined;
  const part = textPart(markdownReport(analysis), { mediaType, filename: 'analysis.md' });
  return turn.artifact(part, {
    artifactId: 'analysis',
    name: 'Incident analysis',
    description: 'Causes, impact and next steps, with cited lines',
  });
}

/** What happened when. `modes` says what it may be made in. */
export function timelineArtifact(
  turn: TurnContext,
  analysis: Analysis,
  modes: readonly string[] = TIMELINE_MODES,
): TaskArtifactUpdateEvent | undefined {
  const mediaType = turn.preferredOutputMode(modes);
  if (!mediaType) return undefined;
  const part =
    mediaType === 'application/json'
      ? dataPart({ timeline: timelineData(analysis) }, { mediaType })
      : textPart(markdownTimeline(analysis), { mediaType, filename: 'timeline.md' });
  return turn.artifact(part, { artifactId: 'timeline', name: 'Timeline', description: 'What happened, in order, in UTC' });
}

/** Errors by signature. `modes` says what they may be made in. */
export function errorsArtifact(
  turn: TurnContext,
  analysis: Analysis,
  modes: readonly string[] = ERROR_MODES,
): TaskArtifactUpdateEvent | undefined {
  const mediaType = turn.preferredOutputMode(modes);
  if (!mediaType) return undefined;
  const extras = { artifactId: 'errors', name: 'Errors by signature', description: 'Counts, first and last seen, and suspects' };
  if (mediaType === 'application/json') return turn.artifact(dataPart(errorData(analysis), { mediaType }), extras);
  if (mediaType === 'text/csv') return turn.artifact(textPart(errorCsv(analysis), { mediaType, filename: 'errors.csv' }), extras);
  return turn.artifact(textPart(errorMarkdown(analysis), { mediaType, filename: 'errors.md' }), extras);
}
