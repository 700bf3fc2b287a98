import { type JsonObject } from '@bufbuild/protobuf';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { DEFAULT_MODES, inputModesOf, outputModesOf } from '../agents/skill-selector.js';
import { type Message, type Part, Role, type SendMessageRequest } from '../gen/a2a_pb.js';
import {
  ContentTypeNotSupportedError,
  type FieldViolation,
  InvalidParamsError,
  PushNotificationNotSupportedError,
} from '../protocol/errors.js';
import { DEFAULT_LIMITS, type RequestLimits } from './agent-limits.js';
import { acceptsMediaType, acceptsPart, mediaTypeOf } from '../protocol/media-types.js';

/**
 * The rules for a message from a client that the schema cannot say (A2A §3.1.1, §3.3.2).
 *
 * @throws {InvalidParamsError | ContentTypeNotSupportedError | PushNotificationNotSupportedError}
 */
export function checkSendRequest(request: SendMessageRequest, agent: HostedAgent, limits: RequestLimits = DEFAULT_LIMITS): Message {
  const { message, configuration, metadata } = request;
  if (!message) throw InvalidParamsError.of('message', 'required');
  const violations = [...messageViolations(message, limits), ...metadataViolations('metadata', metadata, limits)];
  if (violations.length > 0) throw new InvalidParamsError(violations);
  checkHistoryLength(configuration?.historyLength, 'configuration.historyLength');
  if (configuration?.taskPushNotificationConfig) checkInlinePush(agent, configuration.taskPushNotificationConfig.taskId);
  message.parts.forEach((part, index) => checkPartType(agent, part, index));
  checkOutputModes(agent, configuration?.acceptedOutputModes ?? []);
  return message;
}

/** @throws {InvalidParamsError} when negative (A2A §3.2.4) */
export function checkHistoryLength(historyLength: number | undefined, field = 'historyLength'): void {
  if (historyLength !== undefined && historyLength < 0) throw InvalidParamsError.of(field, 'has to be 0 or more');
}

function* messageViolations(message: Message, limits: RequestLimits): Generator<FieldViolation> {
  const { messageId, taskId, contextId, role, parts, referenceTaskIds } = message;
  const ids = { messageId, taskId, contextId };
  for (const [name, id] of Object.entries(ids)) {
    if (id.length > limits.idLength) yield { field: `message.${name}`, description: `at most ${limits.idLength} characters` };
  }
  if (role !== Role.USER) yield { field: 'message.role', description: 'a client speaks as ROLE_USER' };
  if (parts.length > limits.parts) yield { field: 'message.parts', description: `at most ${limits.parts} parts` };
  if (referenceTaskIds.length > limits.referenceTaskIds) {
    yield { field: 'message.referenceTaskIds', description: `at most ${limits.referenceTaskIds} tasks` };
  }
  yield* metadataViolations('message.metadata', message.metadata, limits);
  for (const [index, part] of parts.slice(0, limits.parts).entries()) yield* partViolations(`message.parts[${index}]`, part, limits);
}

function* partViolations(field: string, { content, metadata }: Part, limits: RequestLimits): Generator<FieldViolation> {
  if (content.case === 'text' && Buffer.byteLength(content.value) > limits.textBytes) {
    yield { field: `${field}.text`, description: `at most ${limits.textBytes} bytes` };
  }
  yield* metadataViolations(`${field}.metadata`, metadata, limits);
}

function* metadataViolations(field: string, metadata: JsonObject | undefined, { metadataBytes }: RequestLimits): Generator<FieldViolation> {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes)
    yield { field, description: `at most ${metadataBytes} bytes` };
}

function checkInlinePush(agent: HostedAgent, taskId: string): void {
  if (!agent.options.pushNotifications) throw new PushNotificationNotSupportedError();
  if (taskId) throw InvalidParamsError.of('configuration.taskPushNotificationConfig.taskId', 'stays empty in a send');
}

/** Some skill, or the agent itself, has to take the part (A2A §3.1.1). */
function checkPartType(agent: HostedAgent, part: Part, index: number): void {
  const modes = [...(agent.options.defaultInputModes ?? DEFAULT_MODES), ...agent.skills.flatMap((skill) => inputModesOf(agent, skill))];
  if (acceptsPart(modes, part)) return;
  const accepted = [...new Set(modes)].join(', ');
  const found = mediaTypeOf(part) ?? 'a part without a media type';
  throw new ContentTypeNotSupportedError(
    `This agent does not take ${found.slice(0, 100)} (message.parts[${index}]); it takes ${accepted}`,
    {
      field: `message.parts[${index}]`,
      accepted,
    },
  );
}

/** Something the agent makes has to be of use to the caller. */
function checkOutputModes(agent: HostedAgent, accepted: readonly string[]): void {
  if (accepted.length === 0) return;
  const offered = [...(agent.options.defaultOutputModes ?? DEFAULT_MODES), ...agent.skills.flatMap((skill) => outputModesOf(agent, skill))];
  if (offered.some((mode) => accepted.some((range) => acceptsMediaType(range, mode) || acceptsMediaType(mode, range)))) return;
  throw new ContentTypeNotSupportedError(
    `This agent makes none of the accepted output modes; it makes ${[...new Set(offered)].join(', ')}`,
    {
      field: 'configuration.acceptedOutputModes',
      offered: [...new Set(offered)].join(','),
    },
  );
}
