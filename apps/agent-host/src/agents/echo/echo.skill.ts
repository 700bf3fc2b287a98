import { AgentSkill } from '@a2a/a2a-core';

/** Only describes: EchoAgent does the work. */
@AgentSkill({
  id: 'echo',
  name: 'Echo',
  description: 'Answers with the text of the message, without a task.',
  tags: ['example', 'text'],
  examples: ['Hello?'],
})
export class EchoSkill {}
