import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { BadRequestException, HttpException, Inject, Injectable, Optional, UnauthorizedException } from '@nestjs/common';
import { Clock, OutboundHttp, type StreamResponse, StreamResponseSchema, SystemClock } from '@a2a/a2a-core';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { A2A_WEBHOOK_OPTIONS, type A2aWebhookOptions, DEFAULT_MAX_AGE_SECONDS } from './a2a-webhook.options.js';
import { type ExpectedWebhook, ExpectedWebhooks } from './expected-webhooks.js';
import { keySetOf, type WebhookKeySet } from './webhook-keys.js';
import { isEqual, isSharedSecret, isSignedWith, isSignedWithSecret, type SignedContent } from './webhook-signature.js';
import { type WebhookUpdate } from './webhook-update.js';

const TOO_EARLY = 425;

/**
 * Tells genuine deliveries from others (A2A §4.3.3, §13.2).
 *
 * Signature and age come first, then the task, then what was agreed for it. Every refusal of these says no more than 401.
 */
@Injectable()
export class WebhookVerifier {
  readonly #keys?: WebhookKeySet;
  readonly #clock: Clock;
  readonly #maxAgeSeconds: number;

  constructor(
    @Inject(A2A_WEBHOOK_OPTIONS) options: A2aWebhookOptions,
    @Optional() private readonly expected?: ExpectedWebhooks,
    @Optional() http?: OutboundHttp,
    @Optional() clock?: Clock,
  ) {
    this.#clock = clock ?? new SystemClock();
    this.#maxAgeSeconds = options.maxAgeSeconds ?? DEFAULT_MAX_AGE_SECONDS;
    this.#keys = options.keys && keySetOf(options.keys, http, this.#clock);
    if (this.#keys || expected) return;
    throw new Error('A2aWebhookModule: nothing would be verified; set keys, or expected with a class that knows what was registered');
  }

  /**
   * @throws {HttpException} 400 for what is no update, 401 for what is not genuine or too old, 425 for a task that is not known (yet)
   */
  async verify(headers: IncomingHttpHeaders, body: Uint8Array): Promise<WebhookUpdate> {
    const signed = signedContent(headers, body);
    this.#checkAge(signed.timestamp);
    if (this.#keys && !(await this.#isSigned(this.#keys, signed))) throw new UnauthorizedException();
    const event = parse(body);
    const taskId = taskIdOf(event);
    if (this.expected) await this.#checkExpected(this.expected, taskId, headers, signed);
    return {
      deliveryId: signed.id || `sha256:${createHash('sha256').update(body).digest('base64url')}`,
      taskId,
      event,
      sentAt: signed.timestamp ? new Date(Number(signed.timestamp) * 1_000) : undefined,
    };
  }

  /** Senders that sign say when; others need not. */
  #checkAge(timestamp: string): void {
    if (!timestamp && !this.#keys) return;
    const ageSeconds = this.#clock.now() / 1_000 - Number(timestamp);
    const isTimely = /^\d{1,12}$/.test(timestamp) && Math.abs(ageSeconds) <= this.#maxAgeSeconds;
    if (!isTimely) throw new UnauthorizedException();
  }

  async #isSigned(keys: WebhookKeySet, signed: SignedContent): Promise<boolean> {
    if (!signed.id) return false;
    return isSignedWith(await keys.keys(false), signed) || isSignedWith(await keys.keys(true), signed);
  }

  async #checkExpected(expected: ExpectedWebhooks, taskId: string, headers: IncomingHttpHeaders, signed: SignedContent): Promise<void> {
    const agreed = await expected.find(taskId);
    if (!agreed) throw new HttpException({ statusCode: TOO_EARLY, message: 'Too Early' }, TOO_EARLY);
    if (!fitsToken(agreed, headers, signed) || !fitsAuthentication(agreed, headers)) throw new UnauthorizedException();
  }
}

function fitsToken({ token }: ExpectedWebhook, headers: IncomingHttpHeaders, signed: SignedContent): boolean {
  if (token === undefined) return true;
  if (isSharedSecret(token)) return signed.id !== '' && isSignedWithSecret(token, signed);
  return isEqual(textOf(headers['x-a2a-notification-token']), token);
}

function fitsAuthentication({ authentication }: ExpectedWebhook, headers: IncomingHttpHeaders): boolean {
  if (!authentication) return true;
  const [scheme = '', ...credentials] = textOf(headers.authorization).split(' ');
  const isScheme = scheme.toLowerCase() === authentication.scheme.toLowerCase();
  return isEqual(credentials.join(' '), authentication.credentials) && isScheme;
}

function signedContent(headers: IncomingHttpHeaders, body: Uint8Array): SignedContent {
  return {
    id: textOf(headers['webhook-id']),
    timestamp: textOf(headers['webhook-timestamp']),
    signatures: textOf(headers['webhook-signature']),
    body,
  };
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Members and states of later versions of the protocol are no reason to refuse an update. */
function parse(body: Uint8Array): StreamResponse {
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as JsonValue;
    const event = fromJson(StreamResponseSchema, json, { ignoreUnknownFields: true });
    if (event.payload.case) return event;
  } catch (cause) {
    throw new BadRequestException('Not an update of a task', { cause });
  }
  throw new BadRequestException('Not an update of a task');
}

function taskIdOf({ payload }: StreamResponse): string {
  const taskId = payload.case === 'task' ? payload.value.id : payload.value?.taskId;
  if (taskId) return taskId;
  throw new BadRequestException('An update names its task');
}
