import { create } from '@bufbuild/protobuf';
import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { type TurnContext } from '../execution/turn-context.js';
import { GetTaskRequestSchema, StreamResponseSchema } from '../gen/a2a_pb.js';
import { userMessage } from '../protocol/messages.js';
import { messageToJson } from '../protocol/proto-json.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { collect, incomingCall, TestEngine } from '../testing/test-engine.js';
import { SECRETS_URI, WITHHELD } from './secrets.extension.js';

const SCOPE = { agentId: 'vault', tenant: '', owner: 'anonymous' };
const seen: unknown[] = [];

@AgentSkill({ id: 'sign', name: 'Sign', description: 'Asks for a code and uses it', tags: ['test'] })
class SignSkill implements Skill {
  async *execute(turn: TurnContext) {
    seen.push(turn.secrets);
    if (turn.text === 'reply') yield turn.reply('hi');
    else yield turn.secrets === undefined ? turn.requireAuth('a code, please') : turn.completed('signed');
  }
}

@Agent({ id: 'vault', name: 'V', description: 'D', version: '1' })
class VaultAgent {}

describe('secrets in a message [E27]', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await TestEngine.start([[VaultAgent, SignSkill]]);
  });
  afterAll(() => engine.close());
  beforeEach(() => seen.splice(0));

  const metadata = { [SECRETS_URI]: { code: 'canary-4711' }, other: 1 };

  it('reach the agent for one turn, and history, log and stream have a marker in their place', async () => {
    const asked = await engine.sendForTask('sign this');
    await collect(await engine.stream(userMessage('here', { taskId: asked.id, metadata })));
    expect(seen).toEqual([undefined, { code: 'canary-4711' }]);
    const { response } = await engine.handler.getTask(create(GetTaskRequestSchema, { id: asked.id }), incomingCall());
    expect(response.history.find(({ metadata: kept }) => kept)?.metadata).toEqual({ [SECRETS_URI]: WITHHELD, other: 1 });
    const events = await engine.get(TaskRepository).readEvents(SCOPE, asked.id, 0, 100);
    const stored = JSON.stringify(events.map(({ event }) => messageToJson(StreamResponseSchema, event)));
    expect(stored).toContain('"here"');
    expect(stored).not.toContain('canary');
  });

  it('are not in a first message that begins a task either', async () => {
    const task = await engine.sendForTask(userMessage('sign', { metadata }));
    expect(seen).toEqual([{ code: 'canary-4711' }]);
    expect(JSON.stringify(task.history.map(({ metadata: kept }) => kept))).not.toContain('canary');
  });

  it('are no part of what makes a message the same again', async () => {
    const send = (code: string) => engine.send(userMessage('reply', { messageId: 'm', metadata: { [SECRETS_URI]: code } }));
    await send('one');
    await send('two');
    expect(seen).toEqual(['one']);
  });

  it('leave other messages as they are', async () => {
    const task = await engine.sendForTask(userMessage('sign', { metadata: { other: 1 } }));
    expect(seen).toEqual([undefined]);
    expect(task.history[0]?.metadata).toEqual({ other: 1 });
  });
});
