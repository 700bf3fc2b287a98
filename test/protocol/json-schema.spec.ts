import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DescMessage, type JsonObject, type JsonValue, type MessageInitShape, create } from '@bufbuild/protobuf';
import {
  AgentCardSchema,
  artifact,
  ArtifactSchema,
  dataPart,
  file_a2a,
  ListTasksResponseSchema,
  MessageSchema,
  messageToJson,
  PartSchema,
  rawPart,
  SendMessageRequestSchema,
  statusUpdate,
  streamResponse,
  StreamResponseSchema,
  TaskSchema,
  TaskState,
  timestampAt,
  urlPart,
  userMessage,
} from '@a2a/a2a-core';

const ROOT = join(__dirname, '../..');
const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'libs/a2a-core/a2a.schema.json'), 'utf8')) as { $defs: Record<string, JsonObject> };

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));
ajv.addSchema(SCHEMA);

function validatorFor(name: string): ValidateFunction {
  const validate = ajv.getSchema(`a2a.schema.json#/$defs/${name}`);
  if (!validate) throw new Error(`The schema does not define ${name}`);
  return validate;
}

function faultsOf(name: string, json: unknown): string[] {
  const validate = validatorFor(name);
  return validate(json) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function written<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): JsonValue {
  return messageToJson(schema, create(schema, init));
}

const IDS = { taskId: 't-1', contextId: 'c-1' };
const MESSAGE = userMessage('hello', { messageId: 'm-1', metadata: { n: 1.5, nested: { list: [null] } } });

const CARD = {
  name: 'Agent',
  description: '',
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '1.0.0',
  capabilities: { streaming: false, extensions: [{ uri: 'urn:x', params: { any: [1, 'a', null] } }] },
  securitySchemes: {
    key: { scheme: { case: 'apiKeySecurityScheme' as const, value: { location: 'header', name: 'X-Key' } } },
    mtls: { scheme: { case: 'mtlsSecurityScheme' as const, value: {} } },
    oauth: {
      scheme: {
        case: 'oauth2SecurityScheme' as const,
        value: { flows: { flow: { case: 'clientCredentials' as const, value: { tokenUrl: 'https://as.example/token' } } } },
      },
    },
  },
  securityRequirements: [{ schemes: { key: {}, oauth: { list: ['read'] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
} satisfies MessageInitShape<typeof AgentCardSchema>;

const TASK = { id: 't', status: { state: 'TASK_STATE_WORKING' } };

describe('a2a.schema.json', () => {
  it('is what `npm run generate` makes, byte for byte [GEN-02]', () => {
    const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const { stderr, status } = spawnSync(process.execPath, ['scripts/generate-json-schema.mjs', '--check'], {
      cwd: ROOT,
      env: { ...process.env, PATH },
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it('defines every message and enum of the proto, and each definition compiles [GEN-01]', () => {
    const names = [...file_a2a.messages, ...file_a2a.enums].map(({ name }) => name);
    expect(Object.keys(SCHEMA.$defs).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(() => validatorFor(name)).not.toThrow();
  });

  it.each([
    ['AgentCard', written(AgentCardSchema, CARD)],
    ['Task', written(TaskSchema, { id: 't', status: { state: TaskState.WORKING, timestamp: timestampAt(0) }, history: [MESSAGE] })],
    ['StreamResponse', messageToJson(StreamResponseSchema, streamResponse(statusUpdate(IDS, TaskState.COMPLETED, { message: MESSAGE })))],
    ['StreamResponse', messageToJson(StreamResponseSchema, streamResponse(MESSAGE))],
    ['SendMessageRequest', written(SendMessageRequestSchema, { message: MESSAGE, configuration: { historyLength: 0 } })],
    ['Artifact', messageToJson(ArtifactSchema, artifact([dataPart(null), rawPart(Uint8Array.of(255, 254, 253, 1))]))],
    ['Part', messageToJson(PartSchema, urlPart('https://a.example/f', { filename: 'f', mediaType: 'text/plain' }))],
    ['ListTasksResponse', written(ListTasksResponseSchema, {})],
  ])('accepts what the platform writes as %s', (name, json) => {
    expect(faultsOf(name, json)).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    ['a task without status', 'Task', { id: 't' }],
    ['a state in lower case', 'TaskStatus', { state: 'working' }],
    ['an unspecified state where one is required', 'TaskStatus', { state: 'TASK_STATE_UNSPECIFIED' }],
    ['a message without role', 'Message', { messageId: 'm', parts: [{ text: 'x' }] }],
    ['a message without parts', 'Message', { messageId: 'm', role: 'ROLE_USER', parts: [] }],
    ['a part without content', 'Part', { mediaType: 'text/plain' }],
    ['a part with two contents', 'Part', { text: 'x', url: 'y' }],
    ['wrong base64', 'Part', { raw: '*' }],
    ['metadata that is no object', 'Part', { text: 'x', metadata: [] }],
    ['a time without zone', 'TaskStatus', { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00' }],
    ['a time outside UTC', 'TaskStatus', { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00+02:00' }],
    ['a stream item with two payloads', 'StreamResponse', { message: messageToJson(MessageSchema, MESSAGE), task: TASK }],
    ['an empty stream item', 'StreamResponse', {}],
    ['a page without nextPageToken', 'ListTasksResponse', { tasks: [], pageSize: 50, totalSize: 0 }],
    ['a card without skills', 'AgentCard', { ...(written(AgentCardSchema, CARD) as JsonObject), skills: undefined }],
    ['a card without interfaces', 'AgentCard', { ...(written(AgentCardSchema, CARD) as JsonObject), supportedInterfaces: [] }],
    ['a scheme of no kind', 'SecurityScheme', {}],
    ['a fractional historyLength', 'GetTaskRequest', { id: 't', historyLength: 1.5 }],
  ])('refuses %s', (_, name, json) => {
    expect(faultsOf(name, JSON.parse(JSON.stringify(json)))).not.toEqual([]);
  });
});
