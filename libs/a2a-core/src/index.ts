import 'reflect-metadata';

// ---- For those who write agents
export { Agent, type AgentOptions, type ExtensionDeclaration } from './agents/agent.decorator.js';
export { type AgentCaps, type AgentRates, type Limits, type Rate, type RequestLimits, type TaskLimits } from './limits/limits.options.js';
export { ExtendedCard, type ExtendedCardDetails } from './agents/extended-card.decorator.js';
export { AgentSkill, type Skill, type SkillOptions, type SkillResult } from './agents/agent-skill.decorator.js';
export { CurrentTurn, MessageData, MessageText } from './agents/skill-params.decorator.js';
export { AgentExecutor } from './execution/agent-executor.js';
export { type ResumeNote, type TaskRef, TaskResumer } from './execution/task-resumer.js';
export { type FetchedPart, type FetchPartOptions, PartNotFetchedError } from './outbound/fetch-part.js';
export { type Content, type TurnContext, type TurnLogger, type TurnStore } from './execution/turn-context.js';
export { type AgentEvent, artifactUpdate, statusUpdate } from './protocol/events.js';
export { agentMessage, artifact, dataPart, partData, rawPart, textOf, textPart, urlPart, userMessage } from './protocol/messages.js';
export { isInterrupted, isTerminal, taskStateName } from './protocol/task-state.js';
export * from './protocol/errors.js';
export * from './gen/a2a_pb.js';
export { type AgentSecurity, type SchemeRequirement } from './agents/agent-security.js';
export { A2aCoreModule } from './a2a-core.module.js';
export { type A2aCoreOptions } from './a2a-core.options.js';
export { type ChoosesSkill, SKILL_HINT, SkillSelector } from './agents/skill-selector.js';
export { SECRETS_EXTENSION, SECRETS_URI } from './extensions/secrets.extension.js';
export { EVENT_SEQUENCE_EXTENSION, EVENT_SEQUENCE_URI } from './extensions/event-sequence.extension.js';
export { type TestTurnFacts, testTurn } from './testing/test-turn.js';

// ---- For those who write stores, schemes and bindings
export { ANONYMOUS, type Principal } from './call/principal.js';
export { type BindingName, type CallContext, type CallSeed, type IdentifiedCall, type PeerCertificate } from './call/call-context.js';
export { AnonymousAuthenticator, CallAuthenticator } from './call/call-authenticator.js';
export { addressPrefix } from './call/address-prefix.js';
export { CallEntrance } from './call/call-entrance.js';
export { callerName } from './call/caller-name.js';
export { NoRateLimits, RateLimits, type RatedCall } from './limits/rate-limits.js';
export { AgentLimits } from './limits/agent-limits.js';
export { DEFAULT_CAPS, DEFAULT_LIMITS } from './limits/limits.options.js';
export { findOperation, getOperation, type HttpRoute, type Operation, type OperationName, OPERATIONS } from './protocol/operations.js';
export { EXTENSIONS_PARAM, formatExtensions, SUPPORTED_VERSIONS, VERSION_PARAM } from './protocol/service-params.js';
export { messageFromJson, messageToJson } from './protocol/proto-json.js';
export { StatusSchema } from './gen/google/rpc/status_pb.js';
export {
  type BadRequest,
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
  type RetryInfo,
  RetryInfoSchema,
} from './gen/google/rpc/error_details_pb.js';
export { streamResponse, timestampAt } from './protocol/events.js';
export { CallLog, type UnhandledCall } from './requests/call-log.js';
export { type Answer, type IncomingCall, RequestHandler } from './requests/request-handler.js';
export { leave } from './streams/leave.js';
export { SingleStreamItem, type StreamItem } from './streams/stream-item.js';
export { AgentRegistry, type Resolved } from './agents/agent-registry.js';
export { type HostedAgent, type HostedSkill } from './agents/hosted-agent.js';
export { CardSecurity, OpenCardSecurity } from './cards/card-security.js';
export { OpenSkillAccess, SkillAccess, type SkillUse } from './agents/skill-access.js';
export { AgentCardSigner, UnsignedCards } from './cards/agent-card.signer.js';
export { canonicalCard, knownMembersOf } from './cards/card-canonical-form.js';
export {
  OutboundError,
  type OutboundFailure,
  OutboundHttp,
  type OutboundOptions,
  type OutboundResponse,
  type OutboundTargets,
} from './outbound/outbound-http.js';
export { AgentCardService, type ServedCard } from './cards/agent-card.service.js';
export { type ServedWire, type WireAddress, type WireCredentials, WireRegistry } from './cards/wire-registry.js';
export { parseTaskKey, type TaskScope, taskKey } from './tasks/task-scope.js';
export { TaskEvent } from './tasks/task-event.js';
export {
  type AbandonedTask,
  ConcurrentModification,
  DuplicateMessage,
  type EndedTask,
  type MessageReceipt,
  type ReceivedMessage,
  type StoredTask,
  type TaskChange,
  type TaskCursor,
  type TaskHead,
  type TaskPage,
  type TaskQuery,
  TaskRepository,
  type TaskSnapshot,
} from './tasks/task-repository.js';
export { StateStore, type StoredValue } from './tasks/state-store.js';
export { InMemoryTaskRepository, type InMemoryTaskRepositoryOptions } from './tasks/in-memory-task.repository.js';
export { InMemoryStateStore, type InMemoryStateStoreOptions } from './tasks/in-memory-state.store.js';
export { InMemoryStoreModule } from './tasks/in-memory-store.module.js';
export { InProcessTaskEventBus, TaskEventBus } from './tasks/task-event-bus.js';
export { A2A_CORE_OPTIONS, type A2aCoreExtras } from './a2a-core.module-definition.js';
export { AgentCardBuilder } from './cards/agent-card.builder.js';
export { ExtendedAgentCards } from './cards/extended-agent-cards.js';
export { RESERVED_NAMES } from './agents/agent-options-check.js';
export { PushNotifications } from './push/configs/push-notifications.js';
export { A2aPushModule, type A2aPushExtras } from './push/a2a-push.module.js';
export { type A2aPushOptions, type AgentWebhooks, type ArtifactUpdates } from './push/push.options.js';
export {
  type DeadLetter,
  type DisabledReason,
  type PushClaim,
  type PushConfig,
  type PushConfigDraft,
  type PushConfigLimits,
  PushConfigRepository,
  type PushPage,
  type PushRef,
  type PushReleased,
  type PushRest,
  type PushSaved,
  type PushStatus,
  type StoredPushConfig,
  type TroubledPush,
} from './push/configs/push-config.repository.js';
export { InMemoryPushConfigRepository } from './push/configs/in-memory-push-config.repository.js';
export { type DeliveryState, type Dropped, PushOperations, storePushOperations } from './push/push-operations.js';
export { WebhookAccess } from './push/delivery/webhook-access.js';
export { type WebhookJwk } from './push/secrets/host-keys.js';
export { WebhookKeys } from './push/secrets/webhook-signer.js';
export { type LoadedTask } from './tasks/loaded-task.js';
export { TaskEventLog } from './tasks/task-event-log.js';
export { Clock, SystemClock } from './clock.js';
export { A2aLogger } from './logging.js';
export { NestA2aLogger } from './nest-a2a.logger.js';
export { type Counts } from './retention/counts.js';
export { DataDeletion, type OwnerSelection } from './retention/data-deletion.js';
export { type RetentionOptions } from './retention/retention.options.js';
export { RetentionService } from './retention/retention.service.js';
export { type DeletableStore, storeDeletion } from './retention/store-deletion.js';
export { TaskData } from './retention/task-data.js';
export { type TaskDataHolder } from './retention/task-data.holder.js';
export { Audit, type AuditFacts } from './audit/audit.js';
export { type AuditEvent, type AuditRecord, AuditTrail } from './audit/audit-trail.js';
export { CallAudit } from './audit/call-audit.js';
export { LoggedAuditTrail } from './audit/logged-audit.trail.js';
export { ownerDigest } from './audit/owner-digest.js';
export { RefusalCause } from './audit/refusal-cause.js';
