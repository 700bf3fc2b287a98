import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Approval, type ApprovalStatus } from './approval.js';
import { type Attempt, ApprovalBook } from './approval-book.js';
import { ApprovalDelivery } from './approval-delivery.js';
import { noticePage, outcomePage, PAGE_HEADERS, questionPage } from './approval-page.js';
import { type FormRequest, readForm } from './form-body.js';

const MAX_FORM_BYTES = 4_096;

/** One answer: a status and a page. */
type Page = readonly [status: number, body: string];

const UNKNOWN: Page = [404, noticePage('No such approval', 'The link is wrong, or was shortened on its way.')];
const REFUSED: Page = [403, noticePage('Not decided', 'Open the link again and decide on the page itself.')];

const NOTES: Readonly<Record<Exclude<ApprovalStatus, 'open'>, string>> = {
  approved: 'Approved.',
  declined: 'Declined.',
  withdrawn: 'Withdrawn. It needs no decision any more.',
  expired: 'Expired. Ask for a new one.',
};

/**
 * Where a person approves or declines, out of band (A2A §7.6).
 *
 * - Opening the link decides nothing, so a link preview or a crawler is harmless.
 * - A decision needs the token that only the page shows, and never comes from another site's page.
 * - The link is the right to decide. A company would put its own login in front.
 */
@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly book: ApprovalBook,
    private readonly delivery: ApprovalDelivery,
    private readonly host: HttpAdapterHost,
  ) {}

  @Get(':id')
  async show(@Param('id') id: string, @Res({ passthrough: true }) response: unknown): Promise<string> {
    const approval = await this.book.find(id);
    return this.#send(response, approval ? this.#pageOf(approval) : UNKNOWN);
  }

  @Post(':id')
  @HttpCode(200)
  async decide(@Param('id') id: string, @Req() request: FormRequest, @Res({ passthrough: true }) response: unknown): Promise<string> {
    return this.#send(response, await this.#decide(id, request));
  }

  async #decide(id: string, request: FormRequest): Promise<Page> {
    const form = await readForm(request, MAX_FORM_BYTES);
    if (typeof form === 'number') return [form, noticePage('Not decided', 'Please use the form on the page.')];
    if (!isFromOwnPage(request)) return REFUSED;

    const outcome = outcomeOf(form.get('decision'));
    if (!outcome) return [400, noticePage('Not decided', 'The decision is either approve or decline.')];
    const attempt = await this.book.decide(id, form.get('token') ?? '', outcome);
    if (attempt.result === 'decided') await this.delivery.deliver(id);
    return this.#pageAfter(attempt);
  }

  #pageAfter({ result, approval }: Attempt): Page {
    if (!approval) return result === 'unknown' ? UNKNOWN : REFUSED;
    const [status, body] = this.#pageOf(approval);
    return [result === 'decided-otherwise' ? 409 : status, body];
  }

  #pageOf(approval: Approval): Page {
    const status = this.book.statusOf(approval);
    if (status === 'open') return [200, questionPage(approval)];
    return [status === 'expired' ? 410 : 200, outcomePage(approval, NOTES[status])];
  }

  #send(response: unknown, [status, body]: Page): string {
    const { httpAdapter } = this.host;
    httpAdapter.status(response, status);
    for (const [name, value] of Object.entries(PAGE_HEADERS)) httpAdapter.setHeader(response, name, value);
    // What is left of a body that was not read to its end must not keep the connection.
    if (status === 413 || status === 415) httpAdapter.setHeader(response, 'Connection', 'close');
    return body;
  }
}

function outcomeOf(decision: string | null): 'approved' | 'declined' | undefined {
  return decision === 'approve' ? 'approved' : decision === 'decline' ? 'declined' : undefined;
}

/** Browsers say where a request comes from (Fetch Metadata); other clients say nothing. */
function isFromOwnPage(request: FormRequest): boolean {
  const { headers } = 'raw' in request ? request.raw : request;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
