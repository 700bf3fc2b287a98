import { create } from '@bufbuild/protobuf';
import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { ExtendedCard } from '../agents/extended-card.decorator.js';
import { CallAuthenticator } from '../call/call-authenticator.js';
import { type IdentifiedCall } from '../call/call-context.js';
import { ANONYMOUS, type Principal } from '../call/principal.js';
import { type TurnContext } from '../execution/turn-context.js';
import {
  CancelTaskRequestSchema,
  DeleteTaskPushNotificationConfigRequestSchema,
  GetExtendedAgentCardRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  type Task,
  TaskPushNotificationConfigSchema,
  TaskState,
} from '../gen/a2a_pb.js';
import { A2aError, TaskNotFoundError } from '../protocol/errors.js';
import { userMessage } from '../protocol/messages.js';
import { type OperationName } from '../protocol/operations.js';
import { PushNotifications } from '../push/configs/push-notifications.js';
import { collect, incomingCall, TestEngine } from '../testing/test-engine.js';
import { type AuditRecord, AuditTrail } from './audit-trail.js';
import { RefusalCause } from './refusal-cause.js';

class KeptTrail extends AuditTrail {
  readonly records: AuditRecord[] = [];
  failure?: Error;

  record(record: AuditRecord): void {
    if (this.failure) throw this.failure;
    this.records.push(record);
  }
}

/** Knows callers by a header, and refuses what a test says. */
class ScriptedAuthenticator extends CallAuthenticator {
  refusal?: A2aError;

  async identify(): Promise<never> {
    throw new Error('No wire calls here');
  }

  async admit(call: IdentifiedCall): Promise<Principal> {
    if (this.refusal) throw this.refusal;
    return call.principal;
  }
}

class AnyWebhook extends PushNotifications {
  create = async (config: never) => config;
  get = async () => Promise.reject(new TaskNotFoundError('t'));
  has = async () => false;
  list = async () => Promise.reject(new TaskNotFoundError('t'));
  delete = async () => {};
  check = async () => {};
}

@AgentSkill({ id: 'any', name: 'Any', description: 'Does as it is told', tags: ['test'] })
class AnySkill implements Skill {
  async *execute(turn: TurnContext) {
    if (turn.text === 'reply') yield turn.reply('hi');
    else if (turn.text === 'ask') yield turn.requireInput('what?');
    else if (turn.text === 'refer') yield turn.completed(`${(await turn.referencedTasks()).length} found`);
    else yield turn.completed('done');
  }
}

@Agent({ id: 'audited', name: 'A', description: 'D', version: '1', pushNotifications: true, extendedAgentCard: true })
class AuditedAgent {
  @ExtendedCard()
  more() {
    return {};
  }
}

const ALICE: Principal = { ...ANONYMOUS, owner: 'alice@example.com', authenticated: true, subject: 'alice' };
const SECRET = 'canary-in-a-body';

describe('the audit trail of calls', () => {
  const trail = new KeptTrail();
  const authenticator = new ScriptedAuthenticator();
  let engine: TestEngine;
  beforeAll(async () => {
    class WebhookModule {}
    const push = { module: WebhookModule, providers: [{ provide: PushNotifications, useClass: AnyWebhook }], exports: [PushNotifications] };
    const overrides = [
      { provide: AuditTrail, useValue: trail },
      { provide: CallAuthenticator, useValue: authenticator },
    ];
    engine = await TestEngine.start([[AuditedAgent, AnySkill]], {}, { push, overrides });
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    trail.records.length = 0;
    trail.failure = undefined;
    authenticator.refusal = undefined;
  });

  const from = (principal: Principal = ALICE) => incomingCall({ principal, remoteAddress: '192.0.2.7', headers: { 'x-secret': SECRET } });
  const send = (text: string, more = {}, principal = ALICE): Promise<Task> =>
    engine.sendForTask(userMessage(text, { metadata: { secret: SECRET }, ...more }), {}, from(principal));
  const get = (id: string, principal = ALICE) => engine.handler.getTask(create(GetTaskRequestSchema, { id }), from(principal));
  const cancel = (id: string) => engine.handler.cancelTask(create(CancelTaskRequestSchema, { id }), from());
  const outline = () => trail.records.map(({ event, outcome, reason }) => [event, outcome, ...(reason ? [reason] : [])].join(' '));

  it('says who made which task, where from, and nothing of what was said [SECC-50, SECC-51]', async () => {
    const task = await send('go');
    expect(trail.records).toEqual([
      {
        atMs: expect.any(Number),
        event: 'task.create',
        outcome: 'ok',
        binding: 'HTTP+JSON',
        remoteAddress: '192.0.2.7',
        operation: 'SendMessage',
        agentId: 'audited',
        tenant: undefined,
        owner: expect.stringMatching(/^[0-9a-f]{12}$/),
        taskId: task.id,
        contextId: undefined,
      },
    ]);
    expect(JSON.stringify(trail.records)).not.toMatch(/alice|canary/);
  });

  it('tells of a task once, however often its message comes and whoever follows it', async () => {
    const messageId = 'repeated';
    const { id } = await send('ask', { messageId });
    await send('ask', { messageId });
    await send('on', { taskId: id });
    expect(outline()).toEqual(['task.create ok']);
    await collect(await engine.stream(userMessage('go'), {}, from()));
    expect(outline()).toEqual(['task.create ok', 'task.create ok']);
  });

  it('is silent about reads, pages, replies and what is merely wrong', async () => {
    const { id } = await send('go');
    trail.records.length = 0;
    await get(id);
    await engine.handler.listTasks(create(ListTasksRequestSchema, {}), from());
    await engine.send('reply', {}, from());
    await expect(engine.send({ ...userMessage('x'), parts: [] }, {}, from())).rejects.toThrow(A2aError);
    expect(outline()).toEqual([]);
  });

  it('tells of cancels, done and refused', async () => {
    const { id } = await send('ask');
    await cancel(id);
    const done = await send('go');
    await expect(cancel(done.id)).rejects.toThrow(A2aError);
    await expect(cancel('nothing')).rejects.toThrow(A2aError);
    expect(outline()).toEqual([
      'task.create ok',
      'task.cancel ok',
      'task.create ok',
      'task.cancel refused TASK_NOT_CANCELABLE',
      'task.lookup refused TASK_NOT_FOUND',
    ]);
  });

  it('records a foreign task exactly as one that never was [B1, SECC-50]', async () => {
    const { id } = await send('go');
    trail.records.length = 0;
    const eve = { ...ALICE, owner: 'eve' };
    await expect(get(id, eve)).rejects.toThrow(A2aError);
    await expect(get('nothing', eve)).rejects.toThrow(A2aError);
    const [foreign, absent] = trail.records.map(({ atMs: _at, taskId, ...record }) => ({ ...record, names: taskId !== undefined }));
    expect(foreign).toEqual(absent);
    expect(foreign).toMatchObject({ event: 'task.lookup', outcome: 'refused', operation: 'GetTask', reason: 'TASK_NOT_FOUND' });
  });

  it('records references to foreign tasks, which the agent does not see [B6]', async () => {
    const { id } = await send('go');
    trail.records.length = 0;
    const task = await send('refer', { referenceTaskIds: [id] }, { ...ALICE, owner: 'eve' });
    expect(task.status?.message?.parts[0]?.content.value).toBe('0 found');
    expect(trail.records).toContainEqual(
      expect.objectContaining({ event: 'task.lookup', outcome: 'refused', taskId: id, detail: 'referenceTaskIds' }),
    );
  });

  it('tells of webhooks, set with a message or by themselves, and deleted', async () => {
    const config = create(TaskPushNotificationConfigSchema, { url: `https://hooks.example/${SECRET}`, token: SECRET });
    const task = await engine.sendForTask('go', { configuration: { taskPushNotificationConfig: config } }, from());
    await engine.handler.createTaskPushNotificationConfig({ ...config, taskId: task.id }, from());
    const request = create(DeleteTaskPushNotificationConfigRequestSchema, { taskId: task.id, id: 'c' });
    await engine.handler.deleteTaskPushNotificationConfig(request, from());
    expect(outline().toSorted()).toEqual(['push_config.delete ok', 'push_config.set ok', 'push_config.set ok', 'task.create ok']);
    expect(JSON.stringify(trail.records)).not.toContain(SECRET);
  });

  it('tells of extended cards, shown and refused [B15]', async () => {
    const card = (principal: Principal) => engine.handler.getExtendedAgentCard(create(GetExtendedAgentCardRequestSchema), from(principal));
    await card(ALICE);
    await expect(card(ANONYMOUS)).rejects.toThrow(A2aError);
    expect(outline()).toEqual(['extended_card.read ok', 'authentication refused UNAUTHENTICATED']);
  });

  it.each<[string, A2aError, string]>([
    ['wrong credentials', new A2aError('UNAUTHENTICATED', 'no'), 'authentication refused UNAUTHENTICATED'],
    ['a missing scope', new A2aError('PERMISSION_DENIED', 'no'), 'authorization refused PERMISSION_DENIED'],
    [
      'a tenant that hides its tasks',
      new A2aError('TASK_NOT_FOUND', 'no', {}, { cause: new RefusalCause('tenant') }),
      'authorization refused TASK_NOT_FOUND',
    ],
  ])('tells of %s, with what is known of the call so far [SECC-50]', async (_, refusal, line) => {
    authenticator.refusal = refusal;
    await expect(get('t')).rejects.toBe(refusal);
    expect(outline()).toEqual([line]);
    expect(trail.records[0]).toMatchObject({ operation: 'GetTask' satisfies OperationName, agentId: 'audited', taskId: 't' });
    expect(trail.records[0]?.detail).toBe(refusal.cause instanceof RefusalCause ? 'tenant' : undefined);
  });

  it('leaves it to whoever counts to say that a limit is reached', async () => {
    authenticator.refusal = new A2aError('RATE_LIMITED', 'no');
    await expect(get('t')).rejects.toThrow(A2aError);
    await expect(cancel('t')).rejects.toThrow(A2aError);
    expect(outline()).toEqual([]);
  });

  it('cuts ids that a caller made long', async () => {
    await expect(get('x'.repeat(1_000))).rejects.toThrow(A2aError);
    expect(trail.records[0]?.taskId).toHaveLength(256);
  });

  it('lets calls go on when the trail fails, and says so in the log', async () => {
    trail.failure = new Error('disk full');
    expect((await send('go')).status?.state).toBe(TaskState.COMPLETED);
    expect(engine.logged).toContainEqual({
      message: 'The audit trail took no record',
      facts: { event: 'task.create', outcome: 'ok', error: trail.failure },
    });
  });
});
