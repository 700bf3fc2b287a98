import { type Part } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { acceptsMediaType } from '../protocol/media-types.js';
import { type OutboundHttp, type OutboundResponse } from './outbound-http.js';

const DEFAULT_MAX_BYTES = 10 * 1_024 * 1_024;
const DEFAULT_TIMEOUT_MS = 30_000;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Bounds of one fetch. What is outside of them is a `PartNotFetchedError`. */
export interface FetchPartOptions {
  /** Largest file that is taken. Bytes, default 10 MiB. */
  readonly maxBytes?: number;
  /** Whole exchange. Milliseconds, default 30 000. */
  readonly timeoutMs?: number;
  /** Media types or ranges that are taken. Default: the one that the part says; any when it says none. */
  readonly mediaTypes?: readonly string[];
  /** Hosts that may be asked, such as `files.example.com`, or `*.example.com` for all below it. Default: every public one. */
  readonly domains?: readonly string[];
}

/** A file, whole. */
export interface FetchedPart {
  readonly body: Uint8Array;
  /** What the server says, or the part where the server does not know; without parameters. */
  readonly mediaType: string;
}

/** A part's file cannot be had. The text says what the sender can do about it, and nothing of the network; `cause` is for the log. */
export class PartNotFetchedError extends A2aError {
  constructor(message: string, cause?: unknown) {
    super('INVALID_PARAMS', message, {}, { cause });
  }
}

/**
 * Gets the file behind a part's `url`, through the guarded door (A2A §14.1.1). A part with `raw` has its bytes already.
 *
 * @throws {PartNotFetchedError} when the target is not allowed, does not answer, or sends what is not wanted
 * @throws {TypeError} for a part of another kind
 */
export async function fetchPart(
  http: OutboundHttp | undefined,
  part: Part,
  signal: AbortSignal,
  options: FetchPartOptions = {},
): Promise<FetchedPart> {
  const { content } = part;
  if (content.case === 'raw') return { body: content.value, mediaType: bare(part.mediaType) || UNKNOWN_TYPE };
  if (content.case !== 'url') throw new TypeError(`A part with ${content.case ?? 'nothing'} has no file to fetch`);
  if (!http) throw new Error('fetchPart needs OutboundHttp: import OutboundModule of @a2a/outbound in the root module');
  const { maxBytes = DEFAULT_MAX_BYTES, timeoutMs = DEFAULT_TIMEOUT_MS, mediaTypes, domains } = options;
  const wanted = mediaTypes ?? (part.mediaType ? [part.mediaType] : ['*/*']);
  if (domains && !isWithin(content.value, domains))
    throw new PartNotFetchedError('The host of a file’s URL is not one this agent takes files from');
  const response = await get(http, content.value, { maxBytes, timeoutMs, signal, headers: { accept: wanted.join(', ') } });
  const mediaType = servedType(response, part);
  if (!wanted.some((range) => acceptsMediaType(range, mediaType))) {
    throw new PartNotFetchedError(`A file’s URL gave ${mediaType}, which is not ${wanted.join(' or ')}`);
  }
  return { body: response.body, mediaType };
}

/** Blocked, unreachable, slow and broken targets look the same from outside. */
async function get(http: OutboundHttp, url: string, options: Parameters<OutboundHttp['get']>[1]): Promise<OutboundResponse> {
  try {
    const response = await http.get(url, options);
    if (response.status === 200) return response;
    throw new Error(`The answer was ${response.status}`);
  } catch (cause) {
    options.signal?.throwIfAborted();
    const isTooLarge = cause instanceof Error && 'failure' in cause && cause.failure === 'too-large';
    throw new PartNotFetchedError(
      isTooLarge ? `A file is larger than ${options.maxBytes} bytes` : 'A file could not be fetched from its URL',
      cause,
    );
  }
}

function servedType({ headers }: OutboundResponse, part: Part): string {
  const served = bare(headers.get('content-type') ?? '');
  return served && served !== UNKNOWN_TYPE ? served : bare(part.mediaType) || UNKNOWN_TYPE;
}

function bare(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function isWithin(url: string, domains: readonly string[]): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return domains.some((domain) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain));
}
