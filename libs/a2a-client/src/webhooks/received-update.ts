import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type WebhookUpdate } from './webhook-update.js';

const UPDATE = Symbol('a2a.webhook update');

/** @throws {Error} when no WebhookGuard has seen the request */
export function updateOf(context: ExecutionContext): WebhookUpdate {
  const update = context.switchToHttp().getRequest<{ [UPDATE]?: WebhookUpdate }>()[UPDATE];
  if (!update) throw new Error('No update was verified for this request: put @UseGuards(WebhookGuard) on its controller');
  return update;
}

export function keepUpdate(request: object, update: WebhookUpdate): void {
  Object.assign(request, { [UPDATE]: update });
}

/** The verified WebhookUpdate, as a parameter of a route behind WebhookGuard. */
export const ReceivedUpdate = createParamDecorator((_data: unknown, context: ExecutionContext) => updateOf(context));
