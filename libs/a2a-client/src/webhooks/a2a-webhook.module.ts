import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { A2A_WEBHOOK_OPTIONS, type A2aWebhookOptions } from './a2a-webhook.options.js';
import { ExpectedWebhooks } from './expected-webhooks.js';
import { OncePerDelivery } from './once-per-delivery.interceptor.js';
import { UnparsedBodies } from './unparsed-bodies.js';
import { WebhookHandlers } from './webhook-handlers.js';
import { InMemoryWebhookInbox, WebhookInbox } from './webhook-inbox.js';
import { WebhookVerifier } from './webhook-verifier.js';
import { WebhookGuard } from './webhook.guard.js';
import { createWebhookController } from './webhook.controller.js';

/** Classes that know the application; beside the options. */
export interface A2aWebhookExtras {
  /** What was registered for which task. Default: every task is taken; then `keys` must be set. */
  readonly expected?: Type<ExpectedWebhooks>;
  /** Default: in memory, for a single process. */
  readonly inbox?: Type<WebhookInbox>;
  /** Modules that export what `expected` and `inbox` inject. */
  readonly imports?: DynamicModule['imports'];
}

/**
 * Receives the push notifications of A2A agents: `A2aWebhookModule.forRoot({ path: 'hooks/a2a', keys: { jwksUrl } })` and a
 * `@WebhookHandler()` method somewhere in the application.
 *
 * Works on Express and Fastify, with and without body parsers.
 */
@Module({})
export class A2aWebhookModule {
  static forRoot({
    expected,
    inbox = InMemoryWebhookInbox,
    imports = [],
    ...options
  }: A2aWebhookOptions & A2aWebhookExtras): DynamicModule {
    const providers: Provider[] = [
      { provide: A2A_WEBHOOK_OPTIONS, useValue: options satisfies A2aWebhookOptions },
      { provide: WebhookInbox, useClass: inbox },
      ...(expected ? [{ provide: ExpectedWebhooks, useClass: expected }] : []),
      WebhookVerifier,
      WebhookGuard,
      OncePerDelivery,
      UnparsedBodies,
    ];
    const { path } = options;
    return {
      module: A2aWebhookModule,
      global: true,
      imports: [DiscoveryModule, ...imports],
      controllers: path === undefined ? [] : [createWebhookController(path)],
      providers: path === undefined ? providers : [...providers, WebhookHandlers],
      exports: [A2A_WEBHOOK_OPTIONS, WebhookVerifier, WebhookGuard, WebhookInbox, OncePerDelivery],
    };
  }
}
