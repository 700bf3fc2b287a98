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
import { DEFAULT_LIMITS, type RequestLimits } from '../limits/limits.options.js';
import { acceptsMediaType, acceptsPart, mediaTypeOf } from '../protocol/media-types.js';
import { isDataTooDeep, isJsonTooDeep, TOO_DEEP } from '../protocol/wire-depth.js';

/**
 * The rules for a message from a client that the schema cannot say (A2A §3.1.1, §3.3.2).
 *
 * @throws {InvalidParamsError | ContentTypeNotSupportedError | PushNotificationNotSupportedError}
 */
export function checkSendRequest(request: SendMessageRequest, agent: HostedAgent, limits: RequestLimits = DEFAULT_LIMITS): Message {
  const { message, configuration, metadata } = request;
  if (!message) throw InvalidParamsError.of('message', 'required');
  const violations = messageViolations(message, limits);
  violations.push(...metadataViolations('metadata', metadata, limits));
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

function messageViolations(message: Message, limits: RequestLimits): FieldViolation[] {
  const { messageId, taskId, contextId, role, parts, referenceTaskIds, metadata } = message;
  const { idLength } = limits;
  const tooLong = `at most ${idLength} characters`;
  const found: FieldViolation[] = [];
  if (messageId.length > idLength) found.push({ field: 'message.messageId', description: tooLong });
  if (taskId.length > idLength) found.push({ field: 'message.taskId', description: tooLong });
  if (contextId.length > idLength) found.push({ field: 'message.contextId', description: tooLong });
  if (role !== Role.USER) found.push({ field: 'message.role', description: 'a client speaks as ROLE_USER' });
  if (parts.length > limits.parts) found.push({ field: 'message.parts', description: `at most ${limits.parts} parts` });
  if (referenceTaskIds.length > limits.referenceTaskIds) {
    found.push({ field: 'message.referenceTaskIds', description: `at most ${limits.referenceTaskIds} tasks` });
  }
  found.push(...metadataViolations('message.metadata', metadata, limits));
  parts.slice(0, limits.parts).forEach((part, index) => found.push(...partViolations(`message.parts[${index}]`, part, limits)));
  return found;
}

function partViolations(field: string, { content, metadata }: Part, limits: RequestLimits): FieldViolation[] {
  const found: FieldViolation[] = [];
  if (content.case === 'text' && Buffer.byteLength(content.value) > limits.textBytes) {
    found.push({ field: `${field}.text`, description: `at most ${limits.textBytes} bytes` });
  }
  if (content.case === 'data' && isDataTooDeep(content.value)) found.push({ field: `${field}.data`, description: TOO_DEEP });
  found.push(...metadataViolations(`${field}.metadata`, metadata, limits));
  return found;
}

function metadataViolations(field: string, metadata: JsonObject | undefined, { metadataBytes }: RequestLimits): FieldViolation[] {
  if (metadata === undefined) return [];
  if (isJsonTooDeep(metadata)) return [{ field, description: TOO_DEEP }];
  return Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes ? [{ field, description: `at most ${metadataBytes} bytes` }] : [];
}

function checkInlinePush(agent: HostedAgent, taskId: string): void {
  if (!agent.options.pushNotifications) throw new PushNotificationNotSupportedError();
  if (taskId) throw InvalidParamsError.of('configuration.taskPushNotificationConfig.taskId', 'stays empty in a send');
}

/** Some skill, or the agent itself, has to take the part (A2A §3.1.1). */
function checkPartType(agent: HostedAgent, part: Part, index: number): void {
  const modes = inputModesOfAny(agent);
  if (acceptsPart(modes, part)) return;
  const accepted = modes.join(', ');
  const found = mediaTypeOf(part) ?? 'a part without a media type';
  throw new ContentTypeNotSupportedError(
    `This agent does not take ${found.slice(0, 100)} (message.parts[${index}]); it takes ${accepted}`,
    {
      field: `message.parts[${index}]`,
      accepted,
    },
  );
}

const inputModes = new WeakMap<HostedAgent, readonly string[]>();

function inputModesOfAny(agent: HostedAgent): readonly string[] {
  const { options, skills } = agent;
  const known = inputModes.get(agent);
  const modes = known ?? [
    ...new Set([...(options.defaultInputModes ?? DEFAULT_MODES), ...skills.flatMap((skill) => inputModesOf(agent, skill))]),
  ];
  inputModes.set(agent, modes);
  return modes;
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
