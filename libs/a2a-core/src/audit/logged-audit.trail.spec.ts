import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { type TurnContext } from '../execution/turn-context.js';
import { TestEngine } from '../testing/test-engine.js';

@AgentSkill({ id: 'any', name: 'Any', description: 'Makes a task', tags: ['test'] })
class AnySkill implements Skill {
  async *execute(turn: TurnContext) {
    yield turn.completed('done');
  }
}

@Agent({ id: 'plain', name: 'P', description: 'D', version: '1' })
class PlainAgent {}

describe('the trail that the core brings', () => {
  it('is the log: one line a record, with a mark to find it by, and only members that are there', async () => {
    const engine = await TestEngine.start([[PlainAgent, AnySkill]]);
    const task = await engine.sendForTask('go');
    const lines = engine.logged.filter(({ facts }) => facts?.audit === true);
    await engine.close();
    expect(lines).toEqual([
      {
        message: 'Audit',
        facts: {
          audit: true,
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          event: 'task.create',
          outcome: 'ok',
          binding: 'HTTP+JSON',
          operation: 'SendMessage',
          agentId: 'plain',
          owner: expect.stringMatching(/^[0-9a-f]{12}$/),
          taskId: task.id,
        },
      },
    ]);
  });
});
