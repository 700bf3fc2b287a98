import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { A2A_CORE_OPTIONS, ConfigurableModuleClass } from './a2a-core.module-definition.js';
import { AgentCardBuilder } from './cards/agent-card.builder.js';
import { AgentCardService } from './cards/agent-card.service.js';
import { AgentExplorer } from './agents/agent-explorer.js';
import { AgentRegistry } from './agents/agent-registry.js';
import { DefaultAgentCardService } from './cards/default-agent-card.service.js';
import { DefaultAgentRegistry } from './agents/default-agent-registry.js';
import { DefaultSkillSelector, SkillSelector } from './agents/skill-selector.js';
import { DefaultExtendedAgentCards } from './cards/default-extended-agent-cards.js';
import { ExtendedAgentCards } from './cards/extended-agent-cards.js';
import { WireRegistry } from './cards/wire-registry.js';
import { Audit } from './audit/audit.js';
import { AuditTrail } from './audit/audit-trail.js';
import { CallAudit } from './audit/call-audit.js';
import { LoggedAuditTrail } from './audit/logged-audit.trail.js';
import { Clock, SystemClock } from './clock.js';
import { TaskResumer } from './execution/task-resumer.js';
import { TaskRunner } from './execution/task-runner.js';
import { TurnFactory } from './execution/turn-factory.js';
import { A2aLogger } from './logging.js';
import { NestA2aLogger } from './nest-a2a.logger.js';
import { CallEntrance } from './call/call-entrance.js';
import { AgentLimits } from './limits/agent-limits.js';
import { BlockingWait } from './requests/blocking-wait.js';
import { CallChecks } from './requests/call-checks.js';
import { CallLog } from './requests/call-log.js';
import { CancelTask } from './requests/cancel-task.js';
import { ConcurrencyCaps } from './limits/concurrency-caps.js';
import { DefaultRequestHandler } from './requests/default-request-handler.js';
import { GetExtendedAgentCard } from './requests/get-extended-agent-card.js';
import { LoggedRequestHandler } from './requests/logged-request-handler.js';
import { InlineWebhooks } from './requests/inline-webhooks.js';
import { MessageIntake } from './requests/message-intake.js';
import { MessageReceipts } from './requests/message-receipts.js';
import { PushConfigs } from './requests/push-configs.js';
import { ReadTasks } from './requests/read-tasks.js';
import { RequestHandler } from './requests/request-handler.js';
import { SendMessage } from './requests/send-message.js';
import { SubscribeToTask } from './requests/subscribe-to-task.js';
import { TaskStreams } from './streams/task-streams.js';
import { TaskViews } from './requests/task-views.js';
import { TurnStarter } from './requests/turn-starter.js';
import { DataDeletion } from './retention/data-deletion.js';
import { RunningTaskEnder } from './retention/running-task.ender.js';
import { RetentionService } from './retention/retention.service.js';
import { TaskData } from './retention/task-data.js';
import { TaskEnder } from './retention/task-ender.js';
import { InProcessTaskEventBus, TaskEventBus } from './tasks/task-event-bus.js';
import { TaskEventLog } from './tasks/task-event-log.js';

const AGENTS = [
  WireRegistry,
  AgentExplorer,
  AgentCardBuilder,
  { provide: AgentRegistry, useClass: DefaultAgentRegistry },
  { provide: AgentCardService, useClass: DefaultAgentCardService },
  { provide: SkillSelector, useClass: DefaultSkillSelector },
  { provide: ExtendedAgentCards, useClass: DefaultExtendedAgentCards },
];
const EXECUTION = [TurnFactory, TaskRunner, { provide: TaskResumer, useExisting: TaskRunner }];
const TASKS = [TaskEventLog, { provide: TaskEventBus, useClass: InProcessTaskEventBus }];
const AUDIT = [Audit, CallAudit, { provide: AuditTrail, useClass: LoggedAuditTrail }];
const RETENTION = [TaskData, { provide: TaskEnder, useClass: RunningTaskEnder }, RetentionService, DataDeletion];
const REQUESTS = [
  CallEntrance,
  CallChecks,
  AgentLimits,
  ConcurrencyCaps,
  SendMessage,
  MessageIntake,
  MessageReceipts,
  InlineWebhooks,
  TurnStarter,
  BlockingWait,
  TaskStreams,
  TaskViews,
  SubscribeToTask,
  ReadTasks,
  CancelTask,
  PushConfigs,
  GetExtendedAgentCard,
  CallLog,
  DefaultRequestHandler,
  { provide: RequestHandler, useClass: LoggedRequestHandler },
];

/**
 * The A2A engine: agents, their cards, their tasks and the eleven operations, without any wire.
 *
 * Global, so that agents, stores and bindings find its ports without importing it again.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ...AGENTS,
    ...EXECUTION,
    ...TASKS,
    ...AUDIT,
    ...RETENTION,
    ...REQUESTS,
    { provide: Clock, useClass: SystemClock },
    { provide: A2aLogger, useClass: NestA2aLogger },
  ],
  exports: [
    A2A_CORE_OPTIONS,
    WireRegistry,
    AgentRegistry,
    AgentCardService,
    AgentCardBuilder,
    AgentLimits,
    CallEntrance,
    CallLog,
    Audit,
    AuditTrail,
    TaskData,
    RetentionService,
    DataDeletion,
    RequestHandler,
    TaskResumer,
    TaskEventLog,
    TaskEventBus,
    Clock,
    A2aLogger,
  ],
})
export class A2aCoreModule extends ConfigurableModuleClass {}
