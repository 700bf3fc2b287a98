import { type TaskScope } from '../../tasks/task-scope.js';

/**
 * Whether the owner of a webhook may still have the task's events. Asked before each delivery; a no deletes the config (A2A §13.1).
 *
 * A host whose callers can lose access provides one: `A2aPushModule.forRoot({ …, access })`.
 */
export abstract class WebhookAccess {
  abstract isAllowed(scope: TaskScope, taskId: string): Promise<boolean>;
}

/** For hosts whose callers keep what they had. */
export class LastingWebhookAccess extends WebhookAccess {
  async isAllowed(): Promise<boolean> {
    return true;
  }
}
