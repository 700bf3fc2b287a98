import { once } from 'node:events';
import { type DynamicModule, Module } from '@nestjs/common';
import { Agent, type AgentEvent, AgentExecutor, type AgentOptions, artifact, type TurnContext } from '@a2a/a2a-core';

/** Does what its message says, so that a test can bring about any size and any number. */
export function workerModule(options: Partial<AgentOptions> & { readonly id: string }): DynamicModule {
  @Agent({ name: options.id, description: 'Does what it is told', version: '1.0.0', defaultInputModes: ['*/*'], ...options })
  class WorkerAgent extends AgentExecutor {
    async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
      const [command, count = '1', size = '1'] = turn.text.split(' ');
      switch (command) {
        case 'hang':
          yield turn.working();
          return void (await once(turn.signal, 'abort'));
        case 'ask':
          return yield turn.requireInput('and?');
        case 'chunks':
          for (let index = 0; index < Number(count); index++) {
            yield turn.artifactChunk(artifact('x'.repeat(Number(size)), { artifactId: 'a' }), { append: index > 0 });
          }
          return;
        case 'talk':
          for (let index = 0; index < Number(count); index++) yield turn.working(`${index}`);
          return;
        default:
          yield turn.reply('done');
      }
    }
  }
  @Module({})
  class WorkerModule {}
  return { module: WorkerModule, providers: [WorkerAgent] };
}
