import { type AgentEvent, AgentSkill, ContentTypeNotSupportedError, type Skill, type TurnContext } from '@a2a/a2a-core';
import { plural } from '../analysis/wording.js';
import { ERROR_MODES, errorsArtifact } from '../artifacts.js';
import { investigate } from '../investigation.js';

/** Only the errors, counted by kind. */
@AgentSkill({
  id: 'group-errors',
  name: 'Group errors',
  description: 'Groups errors by signature, with numbers, ids, paths and addresses masked: count, first and last seen, severity, sample.',
  tags: ['incident', 'logs', 'errors', 'statistics'],
  examples: ['just the errors'],
  outputModes: [...ERROR_MODES],
})
export class GroupErrorsSkill implements Skill {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    const finding = yield* investigate(turn);
    if (!finding) return;
    const event = errorsArtifact(turn, finding.analysis);
    if (!event) throw new ContentTypeNotSupportedError(`Error groups can be made as ${ERROR_MODES.join(', ')}`);
    const { groups, problems } = finding.analysis;
    yield event;
    yield turn.completed([`${plural(problems.length, 'problem')} of ${plural(groups.length, 'kind')}.`, ...finding.refused].join('\n'));
  }
}
