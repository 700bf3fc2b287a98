import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { WebhookHandler } from './webhook-handler.decorator.js';
import { type WebhookUpdate } from './webhook-update.js';

type Handle = (update: WebhookUpdate) => unknown;

/** The `@WebhookHandler()` methods of the application. */
@Injectable()
export class WebhookHandlers implements OnModuleInit {
  readonly #handles: Handle[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws {Error} when nobody would get the updates */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, unknown>;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = methods[name];
        if (typeof method !== 'function' || !Reflect.hasMetadata(WebhookHandler.KEY, method)) continue;
        this.#handles.push((update) => method.call(instance, update) as unknown);
      }
    }
    if (this.#handles.length === 0)
      throw new Error('A2aWebhookModule: no provider has a @WebhookHandler() method; add one, or leave out path');
  }

  async handOver(update: WebhookUpdate): Promise<void> {
    for (const handle of this.#handles) await handle(update);
  }
}
