import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { A2A_WEBHOOK_OPTIONS, type A2aWebhookOptions, DEFAULT_MAX_BYTES } from './a2a-webhook.options.js';
import { keepUpdate } from './received-update.js';
import { readWebhookBody, type WebhookRequest } from './webhook-body.js';
import { WebhookVerifier } from './webhook-verifier.js';

/** Lets genuine deliveries pass, and keeps the update for `@ReceivedUpdate()`. */
@Injectable()
export class WebhookGuard implements CanActivate {
  constructor(
    @Inject(A2A_WEBHOOK_OPTIONS) private readonly options: A2aWebhookOptions,
    private readonly verifier: WebhookVerifier,
  ) {}

  /** @throws {HttpException} for everything else; see WebhookVerifier */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<WebhookRequest>();
    const body = await readWebhookBody(request, this.options.maxBytes ?? DEFAULT_MAX_BYTES);
    keepUpdate(request, await this.verifier.verify(request.headers, body));
    return true;
  }
}
