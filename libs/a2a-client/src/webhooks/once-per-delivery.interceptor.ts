import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, ServiceUnavailableException } from '@nestjs/common';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { updateOf } from './received-update.js';
import { WebhookInbox } from './webhook-inbox.js';

/**
 * Runs a route behind WebhookGuard once for each delivery, however often it arrives.
 *
 * A delivery that was handled is answered as then, without running anything. One that is being handled is asked to come again. One whose
 * handling failed counts as not seen.
 */
@Injectable()
export class OncePerDelivery implements NestInterceptor {
  constructor(private readonly inbox: WebhookInbox) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { deliveryId } = updateOf(context);
    const place = await this.inbox.begin(deliveryId);
    if (place === 'done') return of(undefined);
    if (place === 'busy') throw new ServiceUnavailableException('This delivery is being handled');
    try {
      const result: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      await this.inbox.finish(deliveryId);
      return of(result);
    } catch (error) {
      await this.inbox.giveBack(deliveryId);
      throw error;
    }
  }
}
