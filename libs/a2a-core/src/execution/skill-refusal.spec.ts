import { create } from '@bufbuild/protobuf';
import { type Provider } from '@nestjs/common';
import { Agent } from '../agents/agent.decorator.js';
import { Clock } from '../clock.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { SkillAccess, type SkillUse } from '../agents/skill-access.js';
import { ListTasksRequestSchema, type Task, TaskState } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { textOf, userMessage } from '../protocol/messages.js';
import { ManualClock } from '../testing/manual-clock.js';
import { incomingCall, TestEngine } from '../testing/test-engine.js';
import { type TurnContext } from './turn-context.js';

const SKILL = { description: 'For a spec', tags: ['test'] };

/** `plain` in front of the text: no step is asked for before there is a task. */
@AgentSkill({ id: 'pay', name: 'Pay', ...SKILL })
class PaySkill implements Skill {
  async *execute(turn: TurnContext) {
    if (turn.text === 'first') await turn.requireSkill('approve');
    yield turn.working();
    if (turn.text === 'misspelt') await turn.requireSkill('aprove');
    if (!turn.text.startsWith('plain')) await turn.requireSkill('approve');
    yield turn.completed('paid');
  }
}

@AgentSkill({ id: 'approve', name: 'Approve', ...SKILL })
class ApproveSkill implements Skill {
  execute(): string {
    return 'approved';
  }
}

@Agent({ id: 'desk', name: 'Desk', description: 'For a spec', version: '1.0.0' })
class DeskAgent {}

/** Skills that are refused, and every use that was asked about. */
class ScriptedAccess extends SkillAccess {
  readonly refused = new Set<string>();
  readonly asked: SkillUse[] = [];
  delay: Promise<void> = Promise.resolve();

  async check(use: SkillUse): Promise<void> {
    this.asked.push(use);
    await this.delay;
    if (await this.isAllowed(use)) return;
    throw new A2aError('PERMISSION_DENIED', 'The credentials do not grant the scope this needs: approve');
  }

  async isAllowed({ skill }: SkillUse): Promise<boolean> {
    return !this.refused.has(skill.options.id);
  }
}

describe('a skill that the caller may not use', () => {
  let access: ScriptedAccess;
  let clock: ManualClock;
  let engine: TestEngine;

  beforeEach(async () => {
    access = new ScriptedAccess();
    clock = new ManualClock();
    const overrides: Provider[] = [
      { provide: SkillAccess, useValue: access },
      { provide: Clock, useValue: clock },
    ];
    engine = await TestEngine.start([[DeskAgent, PaySkill, ApproveSkill]], { taskAfterMs: 20 }, { overrides });
  });
  afterEach(() => engine.close());

  const stateOf = (task: Task) => [TaskState[task.status?.state ?? 0], textOf(task.status?.message)];

  it('is refused before a task exists, however long the rule takes [B14]', async () => {
    access.refused.add('pay');
    access.delay = clock.sleep(60);
    await expect(clock.advanceUntil(engine.send('plain'))).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    const { response } = await engine.handler.listTasks(create(ListTasksRequestSchema), incomingCall());
    expect(response.tasks).toEqual([]);
    expect(access.asked).toMatchObject([{ taskId: undefined, skill: { options: { id: 'pay' } } }]);
  });

  it('refuses the message when a step asks for it before the first event [B14]', async () => {
    access.refused.add('approve');
    await expect(engine.send('first')).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
  });

  it('makes the task wait in AUTH_REQUIRED when a step asks for it later, and lets a better message go on [B14] [AUTHT-01]', async () => {
    access.refused.add('approve');
    const waiting = await engine.sendForTask('pay');
    expect(stateOf(waiting)).toEqual(['AUTH_REQUIRED', expect.stringContaining('scope this needs: approve')]);
    expect(access.asked.at(-1)).toMatchObject({ taskId: waiting.id });
    access.refused.clear();
    const paid = await engine.sendForTask(userMessage('again', { taskId: waiting.id }));
    expect(stateOf(paid)).toEqual(['COMPLETED', 'paid']);
  });

  it('is asked for again in each turn: waiting authorises nothing [B16] [AUTHT-06]', async () => {
    access.refused.add('approve');
    const waiting = await engine.sendForTask('pay');
    const again = await engine.sendForTask(userMessage('again', { taskId: waiting.id }));
    expect(stateOf(again)[0]).toBe('AUTH_REQUIRED');
    expect(access.asked.filter(({ skill }) => skill.options.id === 'approve')).toHaveLength(2);
  });

  it('makes a task wait that was begun by somebody who could [B14]', async () => {
    access.refused.add('approve');
    const waiting = await engine.sendForTask('pay');
    access.refused.add('pay');
    const refused = await engine.sendForTask(userMessage('again', { taskId: waiting.id }));
    expect(stateOf(refused)[0]).toBe('AUTH_REQUIRED');
  });

  it('has to be one of the agent: a misspelt name never lets anybody pass', async () => {
    const failed = await engine.sendForTask('misspelt');
    expect(stateOf(failed)[0]).toBe('FAILED');
    expect(access.asked.map(({ skill }) => skill.options.id)).toEqual(['pay']);
  });
});
