import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  A2aLogger,
  Clock,
  InMemoryStateStore,
  type ResumeNote,
  StateStore,
  TaskData,
  SystemClock,
  type TaskRef,
  TaskResumer,
  UnsupportedOperationError,
} from '@a2a/a2a-core';
import { type Approval } from './approval.js';
import { ApprovalBook } from './approval-book.js';
import { ApprovalsModule } from './approvals.module.js';

const TASK = { scope: { agentId: 'expense-approval', tenant: '', owner: 'ada' }, taskId: 't1' };

/** Tasks as far as resuming goes: it notes who was woken, and can be told that they have ended or that it is out of order. */
class RecordingResumer extends TaskResumer {
  readonly woken: { taskId: string; note?: ResumeNote }[] = [];
  failure?: Error;

  async resume({ taskId }: TaskRef, note?: ResumeNote): Promise<void> {
    if (this.failure) throw this.failure;
    this.woken.push({ taskId, note });
  }
}

class QuietLogger extends A2aLogger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

describe.each([
  ['express', () => new ExpressAdapter()],
  ['fastify', () => new FastifyAdapter()],
])('the approval page on %s', (_name, adapter) => {
  const state = new InMemoryStateStore();
  let resumer: RecordingResumer;
  let app: NestExpressApplication;
  let url: string;
  let approval: Approval;

  async function start(): Promise<void> {
    resumer = new RecordingResumer();

    @Global()
    @Module({
      providers: [
        { provide: StateStore, useValue: state },
        TaskData,
        { provide: Clock, useClass: SystemClock },
        { provide: TaskResumer, useValue: resumer },
        { provide: A2aLogger, useClass: QuietLogger },
      ],
      exports: [StateStore, TaskData, Clock, TaskResumer, A2aLogger],
    })
    class CoreModule {}

    @Module({ imports: [CoreModule, ApprovalsModule.forRoot({ publicUrl: 'http://host.example' })] })
    class HostModule {}

    app = await NestFactory.create<NestExpressApplication>(HostModule, adapter(), { bodyParser: false, logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  }

  function open(title = 'Book this expense?', value = '42.50 EUR'): Promise<Approval> {
    return app.get(ApprovalBook).open({ task: TASK, title, facts: [{ label: 'Amount', value }], subject: 'digest' });
  }

  function decide(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${url}/approvals/${approval.id}`, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  beforeAll(start);
  beforeEach(async () => {
    approval = await open();
    resumer.woken.length = 0;
    resumer.failure = undefined;
  });
  afterAll(() => app.close());

  it('shows what is asked, and changes nothing by being looked at', async () => {
    const response = await fetch(`${url}/approvals/${approval.id}`);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain('Book this expense?');
    expect(page).toContain('42.50 EUR');
    expect(page).toContain(approval.token);
    expect(resumer.woken).toEqual([]);
    expect(await app.get(ApprovalBook).pending()).toEqual([]);
  });

  it('runs no script, loads nothing and is framed by nobody', async () => {
    const { headers } = await fetch(`${url}/approvals/${approval.id}`);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('shows what callers wrote as text [SECC]', async () => {
    approval = await open('<img src=x onerror=alert(1)>', '"><script>alert(1)</script>');
    const page = await (await fetch(`${url}/approvals/${approval.id}`)).text();
    expect(page).not.toMatch(/<img|<script/);
    expect(page).toContain('&lt;script&gt;');
  });

  it.each([
    ['approve', 'Approved.', 'approved'],
    ['decline', 'Declined.', 'declined'],
  ])('takes %s, and wakes the task without its client [AUTHT-04]', async (decision, note, outcome) => {
    const response = await decide({ decision, token: approval.token });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(note);
    expect(resumer.woken).toEqual([{ taskId: 't1', note: { metadata: { approvalId: approval.id } } }]);
    expect((await app.get(ApprovalBook).get(approval.id)).decision?.outcome).toBe(outcome);
    expect(await (await fetch(`${url}/approvals/${approval.id}`)).text()).not.toContain('<form');
  });

  it('lets the first decision stand, and says so to the second', async () => {
    await decide({ decision: 'approve', token: approval.token });
    const response = await decide({ decision: 'decline', token: approval.token });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('Approved.');
    expect(resumer.woken).toHaveLength(1);
  });

  it('refuses a form without the token, and one that another site sends', async () => {
    expect((await decide({ decision: 'approve' })).status).toBe(403);
    expect((await decide({ decision: 'approve', token: 'guess' })).status).toBe(403);
    expect((await decide({ decision: 'approve', token: approval.token }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(resumer.woken).toEqual([]);
  });

  it('refuses what is no decision, no form, too long or unknown', async () => {
    expect((await decide({ decision: 'maybe', token: approval.token })).status).toBe(400);
    expect((await decide({ decision: 'approve', token: 'x'.repeat(5_000) })).status).toBe(413);
    for (const id of ['unknown', '%00', `${approval.id}%00`, approval.id.toLowerCase()]) {
      expect((await fetch(`${url}/approvals/${id}`)).status).toBe(404);
    }
    const address = `${url}/approvals/${approval.id}`;
    expect((await fetch(address, { method: 'POST', body: 'approve', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect(resumer.woken).toEqual([]);
  });

  it('limits a body of unannounced length', async () => {
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(Buffer.alloc(1_024, 'x')) });
    const init = { method: 'POST', body: endless, duplex: 'half', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await fetch(`${url}/approvals/${approval.id}`, init as RequestInit)).status).toBe(413);
  });

  it('tells at the next start what could not be told, until the task takes note', async () => {
    resumer.failure = new Error('the store is away');
    expect((await decide({ decision: 'approve', token: approval.token })).status).toBe(200);
    await app.close();
    await start();
    expect(resumer.woken.map(({ note }) => note?.metadata?.approvalId)).toContain(approval.id);
    await app.get(ApprovalBook).settle(approval.id);
    expect(await app.get(ApprovalBook).pending()).not.toContain(approval.id);
  });

  it('tells a task that has ended nothing, now and later', async () => {
    resumer.failure = new UnsupportedOperationError('The task has ended');
    expect((await decide({ decision: 'approve', token: approval.token })).status).toBe(200);
    expect(await app.get(ApprovalBook).pending()).not.toContain(approval.id);
  });
});
