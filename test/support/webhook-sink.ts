import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type StreamItemJson } from './clients/wire-json.js';

/** One POST, as it came. */
export interface WebhookPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly item: StreamItemJson;
  /** Of the payload, whatever it is. */
  readonly taskId: string;
  /** The same for every attempt of one event. */
  readonly id: string;
  /** How it was answered. */
  readonly answer: WebhookAnswer;
  readonly atMs: number;
}

/** A status, alone or with `Retry-After`; `refuse` hangs up before reading, `reset` after it; `hang` never answers. */
export type WebhookAnswer = number | { readonly status: number; readonly retryAfter: string } | 'refuse' | 'reset' | 'hang';

/** A receiver of webhooks on 127.0.0.1 that keeps everything and answers what a test says. */
export class WebhookSink {
  readonly posts: WebhookPost[] = [];
  /** Default: 204 to all. */
  answer: (path: string) => WebhookAnswer = () => 204;
  readonly #accepted = new Map<string, WebhookPost>();
  readonly #acceptedFor = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookSink> {
    const server = createServer();
    const sink = new WebhookSink(server);
    server.on('request', (request, response) => void sink.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return sink;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** What was taken with a 2xx, in the order of arrival, each event once. */
  get accepted(): readonly WebhookPost[] {
    return [...this.#accepted.values()];
  }

  get acceptedCount(): number {
    return this.#accepted.size;
  }

  /** Events of one task that were taken. */
  acceptedFor(taskId: string): number {
    return this.#acceptedFor.get(taskId) ?? 0;
  }

  /** Resolves when `holds`, which is asked after each POST. */
  async until(holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve) => {
      const listener = (): void => {
        if (!holds()) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  /** Resolves with the accepted events, once there are that many. */
  async acceptedOf(count: number): Promise<readonly WebhookPost[]> {
    await this.until(() => this.acceptedCount >= count);
    return this.accepted;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const answer = this.answer(path);
    if (answer === 'refuse') return void request.socket.destroy();
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const item = JSON.parse(body.toString()) as StreamItemJson;
    const taskId = item.task?.id ?? item.statusUpdate?.taskId ?? item.artifactUpdate?.taskId ?? '';
    const { headers } = request;
    const post = { path, headers, body: body.toString(), item, taskId, id: String(headers['webhook-id']), answer, atMs: Date.now() };
    this.posts.push(post);
    if (typeof answer === 'number' && answer < 300 && !this.#accepted.has(post.id)) {
      this.#accepted.set(post.id, post);
      this.#acceptedFor.set(taskId, this.acceptedFor(taskId) + 1);
    }
    if (answer === 'reset') request.socket.resetAndDestroy();
    else if (typeof answer === 'object') response.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end();
    else if (answer !== 'hang') response.writeHead(answer).end();
    for (const listener of this.#listeners) listener();
  }
}
