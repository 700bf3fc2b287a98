import {
  OutboundError,
  type OutboundFailure,
  OutboundHttp,
  type OutboundOptions,
  type OutboundResponse,
} from '../outbound/outbound-http.js';

/** One delivery as a receiver would see it. */
export interface ReceivedPost {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: OutboundOptions;
  /** What happened, in short: `task SUBMITTED`, `status WORKING`, `artifact a,b+`. */
  readonly brief: string;
}

/** A status, the class of a failure, an answer in full, or a promise of one of these. */
export type ScriptedAnswer = number | OutboundFailure | { readonly status: number; readonly headers: Record<string, string> };

/** Receivers in this process, in place of the network: they answer what a spec says and keep what they got. */
export class ScriptedReceivers extends OutboundHttp {
  readonly posts: ReceivedPost[] = [];
  answer: (post: ReceivedPost, index: number) => ScriptedAnswer | Promise<ScriptedAnswer> = () => 200;
  readonly #waiting = new Map<number, () => void>();

  /** Resolves when there were that many deliveries. */
  async until(count: number): Promise<readonly ReceivedPost[]> {
    if (this.posts.length < count) await new Promise<void>((resolve) => this.#waiting.set(count, resolve));
    return this.posts;
  }

  refusal(url: string): string | undefined {
    return url.includes('forbidden') ? 'target address not allowed' : undefined;
  }

  async get(): Promise<OutboundResponse> {
    throw new OutboundError('network', 'there is nothing to get');
  }

  async post(url: string, body: string | Uint8Array, options: OutboundOptions): Promise<OutboundResponse> {
    const text = body.toString();
    const post = { url, body: text, headers: options.headers ?? {}, options, brief: briefOf(text) };
    const count = this.posts.push(post);
    this.#waiting.get(count)?.();
    const answer = await Promise.race([this.answer(post, count - 1), cutOff(options.signal)]);
    if (typeof answer === 'string') throw new OutboundError(answer, 'scripted');
    const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
    return { status, headers: new Map(Object.entries(headers)), body: new Uint8Array() };
  }
}

function cutOff(signal: AbortSignal | undefined): Promise<ScriptedAnswer> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve('network'), { once: true }));
}

interface Payload {
  readonly task?: { readonly status: { readonly state: string } };
  readonly statusUpdate?: { readonly status: { readonly state: string } };
  readonly artifactUpdate?: { readonly append?: boolean; readonly artifact: { readonly parts: readonly { readonly text?: string }[] } };
}

function briefOf(body: string): string {
  const { task, statusUpdate, artifactUpdate } = JSON.parse(body) as Payload;
  const state = (task ?? statusUpdate)?.status.state.replace('TASK_STATE_', '');
  if (task) return `task ${state}`;
  if (statusUpdate) return `status ${state}`;
  return `artifact ${artifactUpdate?.artifact.parts.map(({ text }) => text).join()}${artifactUpdate?.append ? '+' : ''}`;
}
