import { randomUUID } from 'node:crypto';
import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type TaskArtifactUpdateEvent,
  TaskState,
  type TaskStatusUpdateEvent,
} from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { askIn, CHUNK, tick } from './stand-ins.js';

/** The agent of the bench, in the SDK's terms. */
export class SdkAgent implements AgentExecutor {
  readonly #waiting: (() => void)[] = [];

  go(): void {
    for (const begin of this.#waiting.splice(0)) begin();
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { content } = context.userMessage.parts[0] ?? {};
    const text = content?.$case === 'text' ? content.value : '';
    const { verb, count } = askIn(text);
    if (verb !== 'echo') await this.#work(verb, count, context, bus);
    else bus.publish(AgentEvent.message(said(text, context)));
    bus.finished();
  }

  async cancelTask(): Promise<void> {}

  async #work(verb: string, count: number, context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId: id, contextId, userMessage, task } = context;
    const history = task?.history ?? [userMessage];
    const status = statusOf(TaskState.TASK_STATE_SUBMITTED);
    bus.publish(AgentEvent.task({ id, contextId, status, artifacts: task?.artifacts ?? [], history, metadata: undefined }));
    bus.publish(AgentEvent.statusUpdate(this.#status(context, TaskState.TASK_STATE_WORKING)));
    switch (verb) {
      case 'converse':
        return void bus.publish(AgentEvent.statusUpdate(this.#status(context, TaskState.TASK_STATE_INPUT_REQUIRED, said(CHUNK, context))));
      case 'history':
        for (let index = 1; index < count; index++) {
          bus.publish(AgentEvent.statusUpdate(this.#status(context, TaskState.TASK_STATE_WORKING, said(CHUNK, context))));
        }
        break;
      case 'fanout':
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        for (let index = 0; index < count; index++) {
          bus.publish(AgentEvent.artifactUpdate(chunk(context, index > 0)));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        break;
      case 'flood':
        for (let index = 0; index < count; index++) bus.publish(AgentEvent.artifactUpdate(chunk(context, index > 0)));
        break;
      case 'stream':
        for (let index = 0; index < count; index++) {
          await tick();
          bus.publish(AgentEvent.artifactUpdate(chunk(context, index > 0)));
        }
        break;
      default:
        bus.publish(AgentEvent.artifactUpdate(chunk(context, false)));
    }
    bus.publish(AgentEvent.statusUpdate(this.#status(context, TaskState.TASK_STATE_COMPLETED)));
  }

  #status({ taskId, contextId }: RequestContext, state: TaskState, message?: Message): TaskStatusUpdateEvent {
    return { taskId, contextId, status: statusOf(state, message), metadata: undefined };
  }
}

function statusOf(state: TaskState, message?: Message): NonNullable<TaskStatusUpdateEvent['status']> {
  return { state, message, timestamp: new Date().toISOString() };
}

function chunk({ taskId, contextId }: RequestContext, append: boolean): TaskArtifactUpdateEvent {
  const artifact: Artifact = { artifactId: 'a', name: '', description: '', parts: [textPart(CHUNK)], metadata: undefined, extensions: [] };
  return { taskId, contextId, artifact, append, lastChunk: false, metadata: undefined };
}

function said(text: string, { contextId }: RequestContext): Message {
  const parts = [textPart(text)];
  return {
    messageId: randomUUID(),
    contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}
