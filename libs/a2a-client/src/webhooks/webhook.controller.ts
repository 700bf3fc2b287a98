import { Controller, HttpCode, Post, type Type, UseGuards, UseInterceptors, VERSION_NEUTRAL } from '@nestjs/common';
import { OncePerDelivery } from './once-per-delivery.interceptor.js';
import { ReceivedUpdate } from './received-update.js';
import { WebhookGuard } from './webhook.guard.js';
import { WebhookHandlers } from './webhook-handlers.js';
import { type WebhookUpdate } from './webhook-update.js';

/** An endpoint that takes updates and hands each to the application once: 204 when it was received, now or before. */
export function createWebhookController(path: string): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(WebhookGuard)
  @UseInterceptors(OncePerDelivery)
  class WebhookController {
    constructor(private readonly handlers: WebhookHandlers) {}

    @Post()
    @HttpCode(204)
    receive(@ReceivedUpdate() update: WebhookUpdate): Promise<void> {
      return this.handlers.handOver(update);
    }
  }
  return WebhookController;
}
