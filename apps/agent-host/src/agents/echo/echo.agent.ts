import { Agent, type AgentEvent, AgentExecutor, type TurnContext } from '@a2a/a2a-core';

/** The smallest agent: it runs its turns itself and says what it was told. */
@Agent({ id: 'echo', name: 'Echo', description: 'Says what it was told.', version: '1.0.0' })
export class EchoAgent extends AgentExecutor {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    yield turn.reply(turn.text);
  }
}
