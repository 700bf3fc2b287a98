import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { create } from '@bufbuild/protobuf';
import {
  A2aCoreModule,
  A2aError,
  A2aLogger,
  Agent,
  AgentSkill,
  type AuditRecord,
  AuditTrail,
  CallEntrance,
  type CallSeed,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  RequestHandler,
  SendMessageRequestSchema,
  userMessage,
  WireRegistry,
} from '@a2a/a2a-core';
import { OutboundModule } from '@a2a/outbound';
import { A2aAuthModule, AccessPolicy, type AccessQuestion, type AccessVerdict, apiKeyScheme, hashApiKey } from '../src/index.js';
import { callSeed, headers } from './support/auth-host.js';
import { RecordingLogger } from './support/recording-logger.js';

class KeptTrail extends AuditTrail {
  readonly records: AuditRecord[] = [];

  record(record: AuditRecord): void {
    this.records.push(record);
  }
}

class HouseRules extends AccessPolicy {
  decide({ taskId }: AccessQuestion): AccessVerdict {
    if (taskId === 'denied') return 'deny';
    return taskId === 'hidden' ? 'hide' : 'allow';
  }
}

@Agent({
  id: 'vault',
  name: 'Vault',
  description: 'Keeps things',
  version: '1.0.0',
  security: { requirements: [{ key: [] }], operationScopes: { ListTasks: ['read'] } },
})
class VaultAgent {}

@AgentSkill({ id: 'open', name: 'Open', description: 'Opens', tags: ['t'], scopes: ['open'] })
class OpenSkill {
  execute(): string {
    return 'open';
  }
}

@Module({ providers: [VaultAgent, OpenSkill] })
class VaultModule {}

describe('the audit trail of a protected agent [SECC-50]', () => {
  const trail = new KeptTrail();
  let app: INestApplicationContext;
  beforeAll(async () => {
    const keys = [{ sha256: hashApiKey('canary-key'), subject: 'canary-subject', tenants: ['acme'] }];
    const auth = A2aAuthModule.forRoot({ schemes: { key: apiKeyScheme({ in: 'header', name: 'x-api-key', keys }) }, policy: HouseRules });
    const overrides = [
      { provide: AuditTrail, useValue: trail },
      { provide: A2aLogger, useValue: new RecordingLogger() },
    ];
    const core = A2aCoreModule.forRoot({ publicUrl: 'https://agents.example.com', auth, overrides });
    @Module({ imports: [core, OutboundModule.forRoot(), VaultModule] })
    class HostModule {
      constructor(wires: WireRegistry) {
        wires.add({ binding: 'JSONRPC', addressOf: () => ({ url: 'https://agents.example.com' }) });
      }
    }
    app = await NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
  });
  afterAll(() => app.close());
  beforeEach(() => trail.records.splice(0));

  const enter = (values: Record<string, string> = { 'x-api-key': 'canary-key' }, seed: Partial<CallSeed> = {}) =>
    app.get(CallEntrance).enter(callSeed({ mount: 'vault', ...headers({ 'a2a-version': '1.0', ...values }), ...seed }));
  const handler = () => app.get(RequestHandler);
  const get = async (id: string, tenant = '') => handler().getTask(create(GetTaskRequestSchema, { id, tenant }), await enter());

  it.each<[string, () => Promise<unknown>, Partial<AuditRecord>]>([
    ['no key', () => enter({}), { event: 'authentication', reason: 'UNAUTHENTICATED', detail: 'no credentials' }],
    [
      'a wrong key',
      () => enter({ 'x-api-key': 'canary-wrong' }),
      { event: 'authentication', reason: 'UNAUTHENTICATED', detail: expect.stringMatching(/^key: /) as string },
    ],
    [
      'a key given twice',
      () => enter({ 'x-api-key': 'canary-key, canary-wrong' }, { repeatedHeaders: new Set(['x-api-key']) }),
      { event: 'authentication', reason: 'INVALID_REQUEST', detail: 'key: given more than once' },
    ],
    [
      'a missing scope',
      async () => handler().listTasks(create(ListTasksRequestSchema), await enter()),
      { event: 'authorization', reason: 'PERMISSION_DENIED', detail: 'scope', operation: 'ListTasks' },
    ],
    [
      'a foreign tenant',
      () => get('t', 'umbrella'),
      { event: 'authorization', reason: 'TASK_NOT_FOUND', detail: 'tenant', tenant: 'umbrella' },
    ],
    ['a policy that denies', () => get('denied'), { event: 'authorization', reason: 'PERMISSION_DENIED', detail: 'policy' }],
    ['a policy that hides', () => get('hidden'), { event: 'authorization', reason: 'TASK_NOT_FOUND', detail: 'policy', taskId: 'hidden' }],
    ['a task that is not there', () => get('absent', 'acme'), { event: 'task.lookup', reason: 'TASK_NOT_FOUND', tenant: 'acme' }],
    [
      'a skill without its scope',
      async () => handler().sendMessage(create(SendMessageRequestSchema, { message: userMessage('go') }), await enter()),
      { event: 'authorization', reason: 'PERMISSION_DENIED', detail: 'skill open', operation: 'SendMessage' },
    ],
  ])('has one record of %s, which tells the operator what the caller is not told', async (_, call, expected) => {
    await expect(call).rejects.toThrow(A2aError);
    expect(trail.records).toEqual([
      expect.objectContaining({ outcome: 'refused', agentId: 'vault', remoteAddress: '203.0.113.7', ...expected }),
    ]);
    expect(JSON.stringify(trail.records)).not.toContain('canary');
  });

  it('names no agent over gRPC, where the message that names it has not been read', async () => {
    await expect(enter({}, { binding: 'GRPC', mount: undefined })).rejects.toThrow(A2aError);
    expect(trail.records).toEqual([expect.objectContaining({ event: 'authentication', binding: 'GRPC' })]);
    expect(trail.records[0]?.agentId).toBeUndefined();
  });
});
