import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type CallContext } from '../call/call-context.js';
import {
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  ListTasksResponseSchema,
  type Task,
  TaskState,
} from '../gen/a2a_pb.js';
import { type FieldViolation, InvalidParamsError } from '../protocol/errors.js';
import { PageTokens } from '../tasks/page-token.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { withoutArtifacts } from '../tasks/task-fold.js';
import { type TaskCursor, type TaskHead, TaskRepository } from '../tasks/task-repository.js';
import { checkHistoryLength } from './message-checks.js';
import { TaskViews } from './task-views.js';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/** GetTask and ListTasks (A2A §3.1.3, §3.1.4). */
@Injectable()
export class ReadTasks {
  readonly #tokens: PageTokens;

  constructor(
    @Inject(A2A_CORE_OPTIONS) options: A2aCoreOptions,
    private readonly repository: TaskRepository,
    private readonly log: TaskEventLog,
    private readonly views: TaskViews,
  ) {
    this.#tokens = new PageTokens(
      options.secret ? createHash('sha256').update(`page tokens\n${options.secret}`).digest() : randomBytes(32),
    );
  }

  async get({ id, historyLength }: GetTaskRequest, call: CallContext): Promise<Task> {
    checkHistoryLength(historyLength);
    return this.views.task(await this.log.get(call.scope, id), call, historyLength);
  }

  async list(request: ListTasksRequest, call: CallContext): Promise<ListTasksResponse> {
    checkListRequest(request);
    const { contextId, status, historyLength, includeArtifacts = false, pageSize = DEFAULT_PAGE_SIZE } = request;
    const boundTo = [call.scope, contextId, status, timestampText(request)];
    const page = await this.repository.list(call.scope, {
      contextId: contextId || undefined,
      state: status === TaskState.UNSPECIFIED ? undefined : status,
      statusAtOrAfterMs: statusAtOrAfterMs(request),
      after: request.pageToken ? this.#open(request.pageToken, boundTo) : undefined,
      limit: pageSize,
    });
    const loaded = await this.log.loadMany(call.scope, page.heads);
    const tasks = loaded.map((task) => this.views.task(task, call, historyLength));
    return create(ListTasksResponseSchema, {
      tasks: includeArtifacts ? tasks : tasks.map(withoutArtifacts),
      nextPageToken: page.hasMore ? this.#seal(page.heads.at(-1), boundTo) : '',
      pageSize,
      totalSize: page.total,
    });
  }

  #seal(last: TaskHead | undefined, boundTo: readonly unknown[]): string {
    return last ? this.#tokens.seal([last.statusAtMs, last.taskId], boundTo) : '';
  }

  #open(token: string, boundTo: readonly unknown[]): TaskCursor {
    const [statusAtMs, taskId] = this.#tokens.open(token, boundTo);
    return { statusAtMs: Number(statusAtMs), taskId: String(taskId) };
  }
}

/** @throws {InvalidParamsError} naming every wrong filter (A2A §6.5) */
function checkListRequest({ pageSize, historyLength }: ListTasksRequest): void {
  const violations: FieldViolation[] = [];
  if (pageSize !== undefined && (pageSize < 1 || pageSize > MAX_PAGE_SIZE)) {
    violations.push({ field: 'pageSize', description: `has to be 1 to ${MAX_PAGE_SIZE}` });
  }
  if (historyLength !== undefined && historyLength < 0) violations.push({ field: 'historyLength', description: 'has to be 0 or more' });
  if (violations.length > 0) throw new InvalidParamsError(violations);
}

/** Status timestamps have whole milliseconds, so a finer bound rounds up. */
function statusAtOrAfterMs({ statusTimestampAfter: at }: ListTasksRequest): number | undefined {
  return at && Number(at.seconds) * 1_000 + Math.ceil(at.nanos / 1e6);
}

function timestampText({ statusTimestampAfter: at }: ListTasksRequest): string {
  return at ? `${at.seconds}.${at.nanos}` : '';
}
