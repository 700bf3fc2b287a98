import { Global, type INestApplication, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { A2aBindingsModule, connectA2aGrpc } from '@a2a/a2a-bindings';
import { A2aCoreModule, Agent, AgentSkill, type Skill, type TurnContext } from '@a2a/a2a-core';
import { A2aAuthModule, AccessPolicy, type AccessQuestion, type AccessVerdict, apiKeyScheme, hashApiKey } from '@a2a/auth';
import { OutboundModule } from '@a2a/outbound';
import { type CardJson, clientOf, type Wire, WIRES } from '../conformance/conformance-host.js';
import { reasonOf, say, taskOf } from '../conformance/requests.js';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { freePorts } from '../support/free-ports.js';

@Agent({ id: 'desk', name: 'Desk', description: 'For a policy', version: '1.0.0', security: { requirements: [{ key: [] }] } })
class DeskAgent {}

@AgentSkill({ id: 'work', name: 'Work', description: 'Works', tags: ['test'] })
class WorkSkill implements Skill {
  async *execute(turn: TurnContext) {
    yield turn.completed();
  }
}

@Module({ providers: [DeskAgent, WorkSkill] })
class DeskModule {}

/** What a team's rules are made from; the policy gets it like any provider gets what it needs. */
@Injectable()
class OpeningHours {
  isOpen = true;
}

@Global()
@Module({ providers: [OpeningHours], exports: [OpeningHours] })
class OfficeModule {}

const questions: AccessQuestion[] = [];

@Injectable()
class OfficePolicy extends AccessPolicy {
  constructor(private readonly hours: OpeningHours) {
    super();
  }

  async decide(question: AccessQuestion): Promise<AccessVerdict> {
    questions.push(question);
    if (!this.hours.isOpen) return question.operation === 'ListTasks' ? 'deny' : 'hide';
    return question.skillId === 'work' && question.principal.subject === 'trainee' ? 'deny' : 'allow';
  }
}

describe.each(WIRES)('The rules of a team over %s', (wire: Wire) => {
  let app: INestApplication;
  let client: A2aClient;
  let hours: OpeningHours;
  const as = (subject: string) => ({ headers: { 'x-api-key': subject } });

  beforeAll(async () => {
    const [port = 0, grpcPort = 0] = await freePorts(2);
    const auth = A2aAuthModule.forRoot({
      schemes: {
        key: apiKeyScheme({
          in: 'header',
          name: 'x-api-key',
          keys: ['clerk', 'trainee'].map((subject) => ({ sha256: hashApiKey(subject), subject })),
        }),
      },
      policy: OfficePolicy,
    });
    const core = A2aCoreModule.forRoot({ publicUrl: `http://127.0.0.1:${port}`, auth });
    @Module({ imports: [core, OutboundModule.forRoot(), A2aBindingsModule.forRoot(), DeskModule, OfficeModule] })
    class OfficeHost {}

    app = await NestFactory.create(OfficeHost, { bodyParser: false, logger: false, abortOnError: false });
    connectA2aGrpc(app, { url: `127.0.0.1:${grpcPort}` });
    await app.startAllMicroservices();
    await app.listen(port, '127.0.0.1');
    hours = app.get(OpeningHours, { strict: false });
    const card = await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`);
    client = clientOf((await card.json()) as CardJson, wire);
  });
  beforeEach(() => {
    hours.isOpen = true;
    questions.length = 0;
  });
  afterAll(async () => {
    client.close();
    await app.close();
  });

  it('are asked with the caller, the operation and the task, then with the skill', async () => {
    const { id } = taskOf(await client.send(say('go'), as('clerk')));
    await client.getTask({ id }, as('clerk'));
    expect(questions).toMatchObject([
      { principal: { subject: 'clerk', authenticated: true }, agentId: 'desk', operation: 'SendMessage' },
      { principal: { subject: 'clerk' }, agentId: 'desk', skillId: 'work' },
      { principal: { subject: 'clerk' }, operation: 'GetTask', taskId: id },
    ]);
  });

  it('deny a skill before there is a task', async () => {
    expect(await reasonOf(client.send(say('go'), as('trainee')))).toBe('PERMISSION_DENIED');
    expect((await client.listTasks({}, as('trainee'))).totalSize).toBe(0);
  });

  it('deny, or hide what is there as if it were not', async () => {
    const { id } = taskOf(await client.send(say('go'), as('clerk')));
    hours.isOpen = false;
    expect(await reasonOf(client.listTasks({}, as('clerk')))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(client.getTask({ id }, as('clerk')))).toBe('TASK_NOT_FOUND');
    expect(await reasonOf(client.send(say('go'), as('clerk')))).toBe('PERMISSION_DENIED');
  });

  it('are never asked about a caller that the card does not let in', async () => {
    expect(await reasonOf(client.listTasks({}, as('nobody')))).toBe('UNAUTHENTICATED');
    expect(questions).toEqual([]);
  });
});
