import { type AgentEvent, AgentSkill, type Skill, type TurnContext } from '@a2a/a2a-core';
import { headline } from '../analysis/report/summary.js';
import { errorsArtifact, reportArtifact, timelineArtifact } from '../artifacts.js';
import { investigate } from '../investigation.js';

/** The whole answer: what went wrong, when, how often, and what to do. */
@AgentSkill({
  id: 'analyze-incident',
  name: 'Analyse an incident',
  description:
    'Finds the probable cause of a failure in logs or a report, with suspects, impact, first events and next steps; every statement cites input lines. Adds a timeline and errors by signature.',
  tags: ['incident', 'logs', 'root-cause', 'observability', 'sre'],
  examples: [
    'Why did checkout fail?\n2026-11-30T10:00:01Z ERROR payments: connect ECONNREFUSED 10.0.0.5:5432',
    'Payments time out since the deployment of v2.4.0 at 14:02 UTC.',
    'focus on payments',
  ],
})
export class AnalyzeIncidentSkill implements Skill {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    const finding = yield* investigate(turn);
    if (!finding) return;
    const { analysis, refused } = finding;
    yield* [
      reportArtifact(turn, analysis),
      timelineArtifact(turn, analysis),
      // Beside a report, errors are data; who cannot use data has them in the report.
      errorsArtifact(turn, analysis, ['application/json']),
    ].filter((event) => event !== undefined);
    yield turn.completed([headline(analysis), ...refused].join('\n'));
  }
}
