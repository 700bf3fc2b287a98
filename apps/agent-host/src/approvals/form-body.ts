import { type IncomingMessage } from 'node:http';

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Why a form could not be read, as an HTTP status. */
export type FormRefusal = 400 | 413 | 415;

/** A request of Express, which is Node's own, or of Fastify, which holds Node's. */
export type FormRequest = IncomingMessage | { readonly raw: IncomingMessage };

/**
 * The fields of an HTML form. Reads the body itself, because the host leaves bodies to those who know their limits.
 *
 * @param maxBytes a longer body is given up as soon as that is known
 */
export async function readForm(request: FormRequest, maxBytes: number): Promise<URLSearchParams | FormRefusal> {
  const source = 'raw' in request ? request.raw : request;
  if (!FORM.test(source.headers['content-type'] ?? '')) return 415;
  if (Number(source.headers['content-length'] ?? 0) > maxBytes) return 413;

  try {
    return await collect(source, maxBytes);
  } catch {
    return 400; // The sender hung up; nobody reads this.
  }
}

async function collect(source: AsyncIterable<Buffer>, maxBytes: number): Promise<URLSearchParams | FormRefusal> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBytes) return 413;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
