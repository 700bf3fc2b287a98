import { DiscoveryService } from '@nestjs/core';

/**
 * Makes a method of a provider the one that gets every verified update: `onUpdate(update: WebhookUpdate): Promise<void>`.
 *
 * An update counts as received when all such methods have returned; when one throws, the sender is told and comes again.
 */
export const WebhookHandler = DiscoveryService.createDecorator<void>();
