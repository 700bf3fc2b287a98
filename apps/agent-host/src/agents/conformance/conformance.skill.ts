import { AgentSkill } from '@a2a/a2a-core';

/** Describes the agent on its card; ConformanceAgent runs the turns. */
@AgentSkill({
  id: 'conformance',
  name: 'Protocol behaviours',
  description: 'Behaves as the first letters of the messageId or a command such as `/stream n=10` say.',
  tags: ['conformance', 'test'],
  examples: ['/echo hello', '/stream n=10 bytes=20', '/ask'],
})
export class ConformanceSkill {}
