import { hash } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { CallAudit } from '../audit/call-audit.js';
import { type CallContext } from '../call/call-context.js';
import { type Message, type SendMessageRequest, type TaskPushNotificationConfig } from '../gen/a2a_pb.js';
import { PushNotifications } from '../push/configs/push-notifications.js';

/** Webhooks that come with a message (A2A §3.2.2), for the task that the message begins or goes on with. */
@Injectable()
export class InlineWebhooks {
  constructor(
    private readonly audit: CallAudit,
    @Optional() private readonly push?: PushNotifications,
  ) {}

  /**
   * The webhook of a message, checked. Its id follows from the message where the client brought none, so that a message that comes again
   * does not make a second one.
   *
   * @throws {A2aError} what `PushNotifications.check` throws; nothing is stored then
   */
  async take(request: SendMessageRequest, { messageId }: Message, call: CallContext): Promise<TaskPushNotificationConfig | undefined> {
    const config = request.configuration?.taskPushNotificationConfig;
    if (!config) return undefined;
    const taken = { ...config, id: config.id || `m-${hash('sha256', messageId, 'base64url').slice(0, 22)}` };
    await this.push?.check(taken, call);
    return taken;
  }

  /** @param afterVersion 0 for a task that the message begins: the webhook gets it from its first event on */
  async register(config: TaskPushNotificationConfig, taskId: string, call: CallContext, afterVersion?: number): Promise<void> {
    await this.push?.create({ ...config, taskId }, call, { afterVersion });
    this.audit.did('push_config.set', call, taskId);
  }

  /** For a message that comes again: the process may have ended between the task that the message began and its webhook. */
  async registerMissing(config: TaskPushNotificationConfig, taskId: string, call: CallContext): Promise<void> {
    if (!(await this.push?.has({ ...config, taskId }, call))) await this.register(config, taskId, call, 0);
  }
}
