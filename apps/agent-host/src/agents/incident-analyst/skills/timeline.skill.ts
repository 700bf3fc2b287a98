import { type AgentEvent, AgentSkill, ContentTypeNotSupportedError, type Skill, type TurnContext } from '@a2a/a2a-core';
import { plural } from '../analysis/wording.js';
import { timelineArtifact, TIMELINE_MODES } from '../artifacts.js';
import { investigate } from '../investigation.js';

/** Only what happened when. */
@AgentSkill({
  id: 'timeline',
  name: 'Timeline',
  description: 'Puts the events of logs and reports in order, in UTC, with bursts and silences marked and input lines cited.',
  tags: ['incident', 'logs', 'timeline'],
  examples: ['only the timeline'],
  outputModes: [...TIMELINE_MODES],
})
export class TimelineSkill implements Skill {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    const finding = yield* investigate(turn);
    if (!finding) return;
    const event = timelineArtifact(turn, finding.analysis);
    if (!event) throw new ContentTypeNotSupportedError(`A timeline can be made as ${TIMELINE_MODES.join(', ')}`);
    yield event;
    yield turn.completed([`${plural(finding.analysis.timeline.length, 'event')} in order.`, ...finding.refused].join('\n'));
  }
}
