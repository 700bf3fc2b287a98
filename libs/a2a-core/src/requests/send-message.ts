import { Injectable } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type CallContext } from '../call/call-context.js';
import { type Message, type SendMessageRequest, type SendMessageResponse, SendMessageResponseSchema } from '../gen/a2a_pb.js';
import { streamResponse } from '../protocol/events.js';
import { SingleStreamItem, type StreamItem } from '../streams/stream-item.js';
import { TaskStreams } from '../streams/task-streams.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { BlockingWait } from './blocking-wait.js';
import { MessageIntake } from './message-intake.js';
import { TaskViews } from './task-views.js';

/** SendMessage and SendStreamingMessage (A2A §3.1.1, §3.1.2). */
@Injectable()
export class SendMessage {
  constructor(
    private readonly intake: MessageIntake,
    private readonly wait: BlockingWait,
    private readonly log: TaskEventLog,
    private readonly streams: TaskStreams,
    private readonly views: TaskViews,
  ) {}

  async send(request: SendMessageRequest, agent: HostedAgent, call: CallContext): Promise<SendMessageResponse> {
    const accepted = await this.intake.accept(request, agent, call);
    if (accepted.outcome.kind === 'message') return answer(accepted.outcome.message);
    const { taskId, handle } = accepted;
    const { returnImmediately = false, historyLength } = request.configuration ?? {};
    const loaded = await (returnImmediately ? this.log.get(call.scope, taskId) : this.wait.untilSettled(call, taskId, handle));
    const task = this.views.task(loaded, call, historyLength);
    return create(SendMessageResponseSchema, { payload: { case: 'task', value: task } });
  }

  async stream(request: SendMessageRequest, agent: HostedAgent, call: CallContext): Promise<AsyncIterable<StreamItem>> {
    const onBegin = (taskId: string): void => this.log.expectReader(call.scope, taskId);
    const { outcome, taskId, handle } = await this.intake.accept(request, agent, call, onBegin);
    if (outcome.kind === 'message') return single(new SingleStreamItem(streamResponse(outcome.message)));
    const historyLength = request.configuration?.historyLength;
    if (!handle) return this.streams.fromTask(await this.log.get(call.scope, taskId), call, { historyLength, closesOnInput: () => true });
    const closesOnInput = (version: number): boolean => version > (handle.startedAtVersion ?? Infinity);
    const options = { historyLength, closesOnInput };
    return outcome.at ? this.streams.fromTask(outcome.at, call, options) : this.streams.fromStart(taskId, call, options);
  }
}

function answer(message: Message): SendMessageResponse {
  return create(SendMessageResponseSchema, { payload: { case: 'message', value: message } });
}

async function* single(item: StreamItem): AsyncGenerator<StreamItem> {
  yield item;
}
