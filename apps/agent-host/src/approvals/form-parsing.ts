import { type AbstractHttpAdapter } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';

/** Fastify refuses media types it has no parser for. This one leaves the body unread, for `readForm`; Express does so by itself. */
export function leaveFormsUnread(adapter: AbstractHttpAdapter): void {
  if (adapter.getType() !== 'fastify') return;
  const fastify = adapter.getInstance<FastifyInstance>();
  if (!fastify.hasContentTypeParser(FORM)) fastify.addContentTypeParser(FORM, (_request, _body, done) => done(null));
}
