import { createHash, randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { type AgentRegistry } from '../../agents/agent-registry.js';
import { type CallContext } from '../../call/call-context.js';
import {
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  ListTaskPushNotificationConfigsResponseSchema,
  type TaskPushNotificationConfig,
  TaskPushNotificationConfigSchema,
} from '../../gen/a2a_pb.js';
import { type OutboundHttp } from '../../outbound/outbound-http.js';
import { InvalidParamsError, TaskNotFoundError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { PageTokens } from '../../tasks/page-token.js';
import { type TaskRepository } from '../../tasks/task-repository.js';
import { checkPushConfig, knownScheme } from './push-config-check.js';
import { type PushConfig, type PushConfigRepository, type PushRef } from './push-config.repository.js';
import { type PushNotificationDispatcher } from '../delivery/push-notification.dispatcher.js';
import { type InlineRegistration, PushNotifications } from './push-notifications.js';
import { type PushSettings } from '../push.options.js';
import { type SecretSeal } from '../secrets/secret-seal.js';

const INLINE = 'configuration.taskPushNotificationConfig.';
const MAX_PAGE_SIZE = 100;
/** More than a task may have, so that a page without a size holds all. */
const ALL = 10_000;

export interface RegistrationServices {
  readonly repository: PushConfigRepository;
  readonly tasks: TaskRepository;
  readonly agents: AgentRegistry;
  readonly http: OutboundHttp;
  readonly seal: SecretSeal;
  readonly dispatcher: PushNotificationDispatcher;
  readonly settings: PushSettings;
}

/**
 * Webhook registrations in the store (A2A §3.1.7–§3.1.10).
 *
 * - Token and credentials go in and never come out: only the answer to their own Create repeats them.
 * - A target is judged by its URL and by what its name resolves to; nothing is sent before there is something to deliver.
 */
export class StoredPushNotifications extends PushNotifications {
  readonly #tokens: PageTokens;

  constructor(private readonly services: RegistrationServices) {
    super();
    this.#tokens = new PageTokens(createHash('sha256').update(`push config pages\n${services.settings.secret}`).digest());
  }

  async create(config: TaskPushNotificationConfig, call: CallContext, inline?: InlineRegistration): Promise<TaskPushNotificationConfig> {
    const { repository, tasks, seal, settings, dispatcher } = this.services;
    const { scope } = call;
    const { taskId, url, token, authentication } = config;
    if (!inline) checkPushConfig(config, await this.#refusal(url, call));
    const [task] = await tasks.findMany(scope, [{ taskId, knownVersion: Number.MAX_SAFE_INTEGER }]);
    if (!task) throw new TaskNotFoundError(taskId);
    const ref: PushRef = { scope, taskId, configId: config.id || randomUUID() };
    const cursor = inline?.afterVersion ?? task.head.version;
    const draft = {
      taskId,
      configId: ref.configId,
      url,
      scheme: knownScheme(authentication?.scheme),
      secrets: seal.seal(ref, url, { token: token || undefined, credentials: authentication?.credentials }),
      extensions: call.activatedExtensions,
      cursor,
      isFinished: isTerminal(task.head.state) && cursor >= task.head.version,
    };
    const limits = { perTask: settings.configsPerTask, perOwner: settings.configsPerOwner };
    const saved = await repository.save(scope, draft, limits);
    if (saved === 'no such task') throw new TaskNotFoundError(taskId);
    if (saved === 'too many for the task') throw InvalidParamsError.of('taskId', tooMany('The task', limits.perTask));
    if (saved === 'too many for the owner') throw InvalidParamsError.of('taskId', tooMany('The caller', limits.perOwner));
    dispatcher.wake(ref);
    return create(TaskPushNotificationConfigSchema, { ...config, id: ref.configId });
  }

  async get(request: GetTaskPushNotificationConfigRequest, { scope }: CallContext): Promise<TaskPushNotificationConfig> {
    const { taskId, id, tenant } = request;
    const config = await this.services.repository.find(scope, taskId, id);
    if (!config) throw new TaskNotFoundError(taskId, { configId: id });
    return withoutSecrets(config, tenant);
  }

  async has({ taskId, id }: TaskPushNotificationConfig, { scope }: CallContext): Promise<boolean> {
    return (await this.services.repository.find(scope, taskId, id)) !== undefined;
  }

  async list(request: ListTaskPushNotificationConfigsRequest, call: CallContext): Promise<ListTaskPushNotificationConfigsResponse> {
    const { taskId, tenant, pageSize, pageToken } = request;
    if (pageSize < 0 || pageSize > MAX_PAGE_SIZE) throw InvalidParamsError.of('pageSize', `0 to ${MAX_PAGE_SIZE}`);
    const boundTo = [call.scope.agentId, call.scope.tenant, call.scope.owner, taskId];
    const [after] = pageToken ? this.#tokens.open(pageToken, boundTo) : [];
    const limit = pageSize || ALL;
    const found = await this.services.repository.list(call.scope, taskId, after === undefined ? undefined : String(after), limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return create(ListTaskPushNotificationConfigsResponseSchema, {
      configs: page.map((config) => withoutSecrets(config, tenant)),
      nextPageToken: last && found.length > limit ? this.#tokens.seal([last.configId], boundTo) : '',
    });
  }

  async delete({ taskId, id }: DeleteTaskPushNotificationConfigRequest, { scope }: CallContext): Promise<void> {
    await this.services.repository.delete(scope, taskId, id);
    this.services.dispatcher.forget({ scope, taskId, configId: id });
  }

  async check(config: TaskPushNotificationConfig, call: CallContext): Promise<void> {
    checkPushConfig(config, await this.#refusal(config.url, call), INLINE);
    const { configsPerOwner } = this.services.settings;
    if ((await this.services.repository.countActive(call.scope)) < configsPerOwner) return;
    throw InvalidParamsError.of(INLINE.slice(0, -1), tooMany('The caller', configsPerOwner));
  }

  #refusal(url: string, { agentId }: CallContext): Promise<string | undefined> {
    const { agents, http, settings } = this.services;
    return http.resolvedRefusal(url, agents.find(agentId)?.options.webhooks?.targets ?? settings.targets);
  }
}

function tooMany(who: string, limit: number): string {
  return `${who} has ${limit} webhooks, which is as many as there may be; delete one first`;
}

/** What Get and List show (A2A §3.1.8). The tenant is the one that the request named. */
function withoutSecrets({ configId, taskId, url, scheme }: PushConfig, tenant: string): TaskPushNotificationConfig {
  return create(TaskPushNotificationConfigSchema, { tenant, id: configId, taskId, url, authentication: scheme ? { scheme } : undefined });
}
