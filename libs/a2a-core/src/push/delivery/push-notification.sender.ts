import { createHash } from 'node:crypto';
import { type Clock } from '../../clock.js';
import { OutboundError, type OutboundHttp, type OutboundResponse, type OutboundTargets } from '../../outbound/outbound-http.js';
import { SUPPORTED_VERSIONS, formatExtensions } from '../../protocol/service-params.js';
import { type PushConfig, type PushRef } from '../configs/push-config.repository.js';
import { parseRetryAfter } from './retry-policy.js';
import { type WebhookSecrets } from '../secrets/secret-seal.js';
import { sharedSecretIn, type WebhookSigner } from '../secrets/webhook-signer.js';

const ANSWER_BYTES = 65_536;
const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 425, 429]);

/** What one attempt came to. `reason` is for operators: a status code or the class of a failure, never a receiver's text. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'gone' };

export interface Delivery {
  readonly ref: PushRef;
  readonly config: PushConfig;
  readonly secrets: WebhookSecrets;
  /** Of the event. */
  readonly version: number;
  readonly body: string;
  readonly targets?: OutboundTargets;
}

/** POSTs events to webhooks, as A2A §4.3.3 and Standard Webhooks say. */
export class PushNotificationSender {
  constructor(
    private readonly http: OutboundHttp,
    private readonly signer: WebhookSigner,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** One attempt. Redirects are failures and are not followed; of the answer only the status and `Retry-After` count. */
  async send(delivery: Delivery, signal: AbortSignal): Promise<DeliveryOutcome> {
    const { config, body, targets } = delivery;
    const options = { headers: this.#headers(delivery), maxBytes: ANSWER_BYTES, drop: true, timeoutMs: this.timeoutMs, signal, targets };
    try {
      return this.#judge(await this.http.post(config.url, body, options));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.failure === 'blocked' ? 'refused' : 'failed', reason: error.failure };
    }
  }

  #headers({ ref, config, secrets, version, body }: Delivery): Record<string, string> {
    const id = deliveryId(ref, version);
    const timestamp = Math.floor(this.clock.now() / 1_000);
    const { scheme, extensions } = config;
    const { credentials, token } = secrets;
    const activated = formatExtensions(extensions);
    return {
      'content-type': 'application/a2a+json',
      'a2a-version': SUPPORTED_VERSIONS[0] ?? '',
      'user-agent': 'a2a-nest-webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': this.signer.sign(id, timestamp, body, token),
      ...(activated && { 'a2a-extensions': activated }),
      ...(scheme && credentials && { authorization: `${scheme} ${credentials}` }),
      ...(token && !sharedSecretIn(token) && { 'x-a2a-notification-token': token }),
    };
  }

  #judge({ status, headers }: OutboundResponse): DeliveryOutcome {
    if (status >= 200 && status < 300) return { kind: 'delivered' };
    if (status === 410) return { kind: 'gone' };
    const isRefusal = status >= 400 && status < 500 && !RETRIED_STATUS.has(status);
    if (isRefusal) return { kind: 'refused', reason: String(status) };
    return { kind: 'failed', reason: String(status), retryAfterMs: parseRetryAfter(headers.get('retry-after'), this.clock.now()) };
  }
}

/** The same for every attempt of one event to one config, in every process; of no use for guessing anything. */
export function deliveryId({ scope, taskId, configId }: PushRef, version: number): string {
  const facts = JSON.stringify([scope.agentId, scope.tenant, scope.owner, taskId, configId, version]);
  return `msg_${createHash('sha256').update(facts).digest('base64url').slice(0, 32)}`;
}
