/** How the deliveries for one task can be told from forged ones: what was given to the agent when the webhook was registered. */
export interface ExpectedWebhook {
  /** `token` of the registration. A `whsec_…` token is a signing secret, and deliveries have to be signed with it. */
  readonly token?: string;
  /** `authentication` of the registration. */
  readonly authentication?: { readonly scheme: string; readonly credentials: string };
}

/** The webhooks that this client has registered: what is not expected is not taken (A2A §4.3.3, §13.2). */
export abstract class ExpectedWebhooks {
  /**
   * @returns undefined for a task that is not (yet) known. The sender is then asked to come again soon, since the first update may overtake
   * the answer that names the task.
   */
  abstract find(taskId: string): Promise<ExpectedWebhook | undefined>;
}
