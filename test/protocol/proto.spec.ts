import { type DescField, type DescMessage, type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { file_a2a } from '@a2a/a2a-core';
import { http } from '../../libs/a2a-core/src/gen/google/api/annotations_pb.js';
import { method_signature } from '../../libs/a2a-core/src/gen/google/api/client_pb.js';
import { field_behavior, FieldBehavior } from '../../libs/a2a-core/src/gen/google/api/field_behavior_pb.js';
import { type HttpRule } from '../../libs/a2a-core/src/gen/google/api/http_pb.js';

/**
 * The data model of A2A 1.0, typed by hand from the specification. `proto/a2a.proto` was typed by hand too, so a slip in either shows here.
 *
 * One line a message: number, proto name, `=` and the JSON name where it differs, type. After the type: `!` REQUIRED, `?` optional with
 * presence, `*` repeated, `@x` member of oneof x, `~` deprecated.
 */
const MESSAGES = `
Task: 1 id string!, 2 context_id=contextId string, 3 status TaskStatus!, 4 artifacts Artifact*, 5 history Message*, 6 metadata Struct
TaskStatus: 1 state TaskState!, 2 message Message, 3 timestamp Timestamp
Message: 1 message_id=messageId string!, 2 context_id=contextId string, 3 task_id=taskId string, 4 role Role!, 5 parts Part*!, 6 metadata Struct, 7 extensions string*, 8 reference_task_ids=referenceTaskIds string*
Part: 1 text string@content, 2 raw bytes@content, 3 url string@content, 4 data Value@content, 5 metadata Struct, 6 filename string, 7 media_type=mediaType string
Artifact: 1 artifact_id=artifactId string!, 2 name string, 3 description string, 4 parts Part*!, 5 metadata Struct, 6 extensions string*

TaskStatusUpdateEvent: 1 task_id=taskId string!, 2 context_id=contextId string!, 3 status TaskStatus!, 4 metadata Struct
TaskArtifactUpdateEvent: 1 task_id=taskId string!, 2 context_id=contextId string!, 3 artifact Artifact!, 4 append bool, 5 last_chunk=lastChunk bool, 6 metadata Struct
StreamResponse: 1 task Task@payload, 2 message Message@payload, 3 status_update=statusUpdate TaskStatusUpdateEvent@payload, 4 artifact_update=artifactUpdate TaskArtifactUpdateEvent@payload
SendMessageResponse: 1 task Task@payload, 2 message Message@payload

SendMessageRequest: 1 tenant string, 2 message Message!, 3 configuration SendMessageConfiguration, 4 metadata Struct
SendMessageConfiguration: 1 accepted_output_modes=acceptedOutputModes string*, 2 task_push_notification_config=taskPushNotificationConfig TaskPushNotificationConfig, 3 history_length=historyLength int32?, 4 return_immediately=returnImmediately bool
GetTaskRequest: 1 tenant string, 2 id string!, 3 history_length=historyLength int32?
ListTasksRequest: 1 tenant string, 2 context_id=contextId string, 3 status TaskState, 4 page_size=pageSize int32?, 5 page_token=pageToken string, 6 history_length=historyLength int32?, 7 status_timestamp_after=statusTimestampAfter Timestamp, 8 include_artifacts=includeArtifacts bool?
ListTasksResponse: 1 tasks Task*!, 2 next_page_token=nextPageToken string!, 3 page_size=pageSize int32!, 4 total_size=totalSize int32!
CancelTaskRequest: 1 tenant string, 2 id string!, 3 metadata Struct
SubscribeToTaskRequest: 1 tenant string, 2 id string!
GetTaskPushNotificationConfigRequest: 1 tenant string, 2 task_id=taskId string!, 3 id string!
ListTaskPushNotificationConfigsRequest: 1 task_id=taskId string!, 2 page_size=pageSize int32, 3 page_token=pageToken string, 4 tenant string
ListTaskPushNotificationConfigsResponse: 1 configs TaskPushNotificationConfig*, 2 next_page_token=nextPageToken string
DeleteTaskPushNotificationConfigRequest: 1 tenant string, 2 task_id=taskId string!, 3 id string!
GetExtendedAgentCardRequest: 1 tenant string

TaskPushNotificationConfig: 1 tenant string, 2 id string, 3 task_id=taskId string, 4 url string!, 5 token string, 6 authentication AuthenticationInfo
AuthenticationInfo: 1 scheme string!, 2 credentials string

AgentCard: 1 name string!, 2 description string!, 3 supported_interfaces=supportedInterfaces AgentInterface*!, 4 provider AgentProvider, 5 version string!, 6 documentation_url=documentationUrl string?, 7 capabilities AgentCapabilities!, 8 security_schemes=securitySchemes map<string,SecurityScheme>, 9 security_requirements=securityRequirements SecurityRequirement*, 10 default_input_modes=defaultInputModes string*!, 11 default_output_modes=defaultOutputModes string*!, 12 skills AgentSkill*!, 13 signatures AgentCardSignature*, 14 icon_url=iconUrl string?
AgentInterface: 1 url string!, 2 protocol_binding=protocolBinding string!, 3 tenant string, 4 protocol_version=protocolVersion string!
AgentProvider: 1 url string!, 2 organization string!
AgentCapabilities: 1 streaming bool?, 2 push_notifications=pushNotifications bool?, 3 extensions AgentExtension*, 4 extended_agent_card=extendedAgentCard bool?
AgentExtension: 1 uri string, 2 description string, 3 required bool, 4 params Struct
AgentSkill: 1 id string!, 2 name string!, 3 description string!, 4 tags string*!, 5 examples string*, 6 input_modes=inputModes string*, 7 output_modes=outputModes string*, 8 security_requirements=securityRequirements SecurityRequirement*
AgentCardSignature: 1 protected string!, 2 signature string!, 3 header Struct

SecurityRequirement: 1 schemes map<string,StringList>
StringList: 1 list string*
SecurityScheme: 1 api_key_security_scheme=apiKeySecurityScheme APIKeySecurityScheme@scheme, 2 http_auth_security_scheme=httpAuthSecurityScheme HTTPAuthSecurityScheme@scheme, 3 oauth2_security_scheme=oauth2SecurityScheme OAuth2SecurityScheme@scheme, 4 open_id_connect_security_scheme=openIdConnectSecurityScheme OpenIdConnectSecurityScheme@scheme, 5 mtls_security_scheme=mtlsSecurityScheme MutualTlsSecurityScheme@scheme
APIKeySecurityScheme: 1 description string, 2 location string!, 3 name string!
HTTPAuthSecurityScheme: 1 description string, 2 scheme string!, 3 bearer_format=bearerFormat string
OAuth2SecurityScheme: 1 description string, 2 flows OAuthFlows!, 3 oauth2_metadata_url=oauth2MetadataUrl string
OpenIdConnectSecurityScheme: 1 description string, 2 open_id_connect_url=openIdConnectUrl string!
MutualTlsSecurityScheme: 1 description string
OAuthFlows: 1 authorization_code=authorizationCode AuthorizationCodeOAuthFlow@flow, 2 client_credentials=clientCredentials ClientCredentialsOAuthFlow@flow, 3 implicit ImplicitOAuthFlow@flow~, 4 password PasswordOAuthFlow@flow~, 5 device_code=deviceCode DeviceCodeOAuthFlow@flow
AuthorizationCodeOAuthFlow: 1 authorization_url=authorizationUrl string!, 2 token_url=tokenUrl string!, 3 refresh_url=refreshUrl string, 4 scopes map<string,string>!, 5 pkce_required=pkceRequired bool
ClientCredentialsOAuthFlow: 1 token_url=tokenUrl string!, 2 refresh_url=refreshUrl string, 3 scopes map<string,string>!
DeviceCodeOAuthFlow: 1 device_authorization_url=deviceAuthorizationUrl string!, 2 token_url=tokenUrl string!, 3 refresh_url=refreshUrl string, 4 scopes map<string,string>!
ImplicitOAuthFlow: 1 authorization_url=authorizationUrl string, 2 refresh_url=refreshUrl string, 3 scopes map<string,string>
PasswordOAuthFlow: 1 token_url=tokenUrl string, 2 refresh_url=refreshUrl string, 3 scopes map<string,string>
`;

const ENUMS = `
TaskState: 0 TASK_STATE_UNSPECIFIED, 1 TASK_STATE_SUBMITTED, 2 TASK_STATE_WORKING, 3 TASK_STATE_COMPLETED, 4 TASK_STATE_FAILED, 5 TASK_STATE_CANCELED, 6 TASK_STATE_INPUT_REQUIRED, 7 TASK_STATE_REJECTED, 8 TASK_STATE_AUTH_REQUIRED
Role: 0 ROLE_UNSPECIFIED, 1 ROLE_USER, 2 ROLE_AGENT
`;

/** RPC: request -> response, HTTP rule; the rule under a tenant is the same behind `/{tenant}`. Last the method signature, if any. */
const RPCS = `
SendMessage: SendMessageRequest -> SendMessageResponse, post /message:send body *
SendStreamingMessage: SendMessageRequest -> stream StreamResponse, post /message:stream body *
GetTask: GetTaskRequest -> Task, get /tasks/{id=*}, (id)
ListTasks: ListTasksRequest -> ListTasksResponse, get /tasks
CancelTask: CancelTaskRequest -> Task, post /tasks/{id=*}:cancel body *
SubscribeToTask: SubscribeToTaskRequest -> stream StreamResponse, get /tasks/{id=*}:subscribe
CreateTaskPushNotificationConfig: TaskPushNotificationConfig -> TaskPushNotificationConfig, post /tasks/{task_id=*}/pushNotificationConfigs body *, (task_id,config)
GetTaskPushNotificationConfig: GetTaskPushNotificationConfigRequest -> TaskPushNotificationConfig, get /tasks/{task_id=*}/pushNotificationConfigs/{id=*}, (task_id,id)
ListTaskPushNotificationConfigs: ListTaskPushNotificationConfigsRequest -> ListTaskPushNotificationConfigsResponse, get /tasks/{task_id=*}/pushNotificationConfigs, (task_id)
GetExtendedAgentCard: GetExtendedAgentCardRequest -> AgentCard, get /extendedAgentCard
DeleteTaskPushNotificationConfig: DeleteTaskPushNotificationConfigRequest -> Empty, delete /tasks/{task_id=*}/pushNotificationConfigs/{id=*}, (task_id,id)
`;

describe('proto/a2a.proto against the tables of the specification', () => {
  const messages = parse(MESSAGES);
  const enums = parse(ENUMS);
  const rpcs = parse(RPCS);

  it('has the tables complete: 44 messages, 176 fields, 2 enums, 11 RPCs [DATA-01]', () => {
    const fields = [...messages.values()].reduce((sum, line) => sum + line.split(', ').length, 0);
    expect([messages.size, fields, enums.size, rpcs.size]).toEqual([44, 176, 2, 11]);
  });

  it('is package lf.a2a.v1 in proto3, with these messages and no others [DATA-01]', () => {
    expect(file_a2a.proto.package).toBe('lf.a2a.v1');
    expect(file_a2a.proto.syntax).toBe('proto3');
    expect(file_a2a.messages.map(({ name }) => name).toSorted()).toEqual([...messages.keys()].toSorted());
    expect(file_a2a.enums.map(({ name }) => name).toSorted()).toEqual([...enums.keys()].toSorted());
    expect(file_a2a.services.map(({ typeName }) => typeName)).toEqual(['lf.a2a.v1.A2AService']);
  });

  it.each([...messages])('describes %s field by field [DATA-01]', (name, line) => {
    expect(file_a2a.messages.filter((message) => message.name === name).map(formatMessage)).toEqual([line]);
  });

  it.each([...enums])('numbers the values of %s [DATA-01]', (name, line) => {
    const found = file_a2a.enums.find((candidate) => candidate.name === name);
    expect(found?.values.map((value) => `${value.number} ${value.name}`).join(', ')).toBe(line);
  });

  it.each([...rpcs])('maps %s to messages and to HTTP [REST-11]', (name, line) => {
    expect(file_a2a.services[0]?.methods.filter((method) => method.name === name).map(formatMethod)).toEqual([line]);
  });

  it('has no RPC beyond the table [DATA-01]', () => {
    expect(file_a2a.services[0]?.methods.map((method) => method.name)).toEqual([...rpcs.keys()]);
  });

  it('offers every HTTP rule under a tenant too, and nothing else [REST-11]', () => {
    for (const method of file_a2a.services[0]?.methods ?? []) {
      const rule = getOption(method, http);
      expect(rule.additionalBindings.map(formatRule)).toEqual([formatRule(rule).replace(' /', ' /{tenant}/')]);
      expect(rule.additionalBindings.flatMap((binding) => binding.additionalBindings)).toEqual([]);
    }
  });
});

function parse(table: string): Map<string, string> {
  const lines = table.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(': ') + 2)]));
}

function formatMessage(message: DescMessage): string {
  return [...message.fields]
    .toSorted((a, b) => a.number - b.number)
    .map(formatField)
    .join(', ');
}

function formatField(field: DescField): string {
  const name = field.name === field.jsonName ? field.name : `${field.name}=${field.jsonName}`;
  const marks = [
    field.fieldKind === 'list' ? '*' : '',
    hasOption(field, field_behavior) && getOption(field, field_behavior).includes(FieldBehavior.REQUIRED) ? '!' : '',
    field.proto.proto3Optional ? '?' : '',
    field.oneof ? `@${field.oneof.name}` : '',
    field.proto.options?.deprecated ? '~' : '',
  ];
  return `${field.number} ${name} ${formatType(field)}${marks.join('')}`;
}

const SCALARS: Readonly<Record<number, string>> = { 5: 'int32', 8: 'bool', 9: 'string', 12: 'bytes' };

function formatType(field: DescField): string {
  if (field.fieldKind === 'map') return `map<${SCALARS[field.mapKey]},${field.message?.name ?? SCALARS[Number(field.scalar)]}>`;
  return field.message?.name ?? field.enum?.name ?? SCALARS[Number(field.scalar)] ?? `scalar ${field.scalar}`;
}

function formatMethod(method: DescMethod): string {
  const stream = method.methodKind === 'server_streaming' ? 'stream ' : method.methodKind === 'unary' ? '' : `${method.methodKind} `;
  const signatures = getOption(method, method_signature).map((signature) => `(${signature})`);
  return [`${method.input.name} -> ${stream}${method.output.name}`, formatRule(getOption(method, http)), ...signatures].join(', ');
}

function formatRule(rule: HttpRule): string {
  const body = rule.body ? ` body ${rule.body}` : '';
  return `${rule.pattern.case} ${rule.pattern.value}${body}`;
}
