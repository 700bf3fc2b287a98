import { agentMessage, artifact, type AgentEvent, statusUpdate, TaskState, type TurnContext } from '@a2a/a2a-core';
import { type Behaviour } from '../behaviour.js';

/** Must never be seen outside the host's log. */
const SECRET = 'secret-canary-7f3';

export function throws({ afterArtifact }: { readonly afterArtifact: boolean }): Behaviour {
  return async function* (turn) {
    if (afterArtifact) {
      yield turn.working();
      yield turn.artifact('half of it');
    }
    throw new Error(`The database password is ${SECRET}`);
  };
}

/** What the protocol forbids, by the name that `/bad kind=` takes. The last is its harmless sibling. */
export const BAD: Readonly<Record<string, Behaviour>> = {
  'message-after-task': sends((turn) => [turn.working(), agentMessage('a message on its own', idsOf(turn))]),
  'two-messages': sends((turn) => [turn.reply('one'), turn.reply('two')]),
  'other-task': sends((turn) => [turn.working(), statusUpdate({ ...idsOf(turn), taskId: 'another-task' }, TaskState.WORKING)]),
  'after-terminal': sends((turn) => [turn.completed(), turn.artifact('too late')]),
  'append-unknown': sends((turn) => [turn.working(), turn.artifactChunk(artifact('more'), { append: true })]),
  'after-last-chunk': sends((turn) => {
    const { artifactId } = artifact('');
    return [
      turn.artifactChunk(artifact('sealed', { artifactId }), { lastChunk: true }),
      turn.artifactChunk(artifact('more', { artifactId }), { append: true }),
      turn.completed(),
    ];
  }),
  'append-metadata': sends((turn) => {
    const { artifactId } = artifact('');
    return [
      turn.artifactChunk(artifact('one', { artifactId, metadata: { a: 1 } })),
      turn.artifactChunk(artifact('two', { artifactId, metadata: { b: 2 } }), { append: true, lastChunk: true }),
      turn.completed(),
    ];
  }),
};

function sends(events: (turn: TurnContext) => AgentEvent[]): Behaviour {
  return async function* (turn) {
    yield* events(turn);
  };
}

function idsOf({ taskId, contextId }: TurnContext): { taskId: string; contextId: string } {
  return { taskId, contextId };
}
