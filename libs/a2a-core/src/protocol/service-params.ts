import { InvalidParamsError, VersionNotSupportedError } from './errors.js';

/** Header and metadata names of A2A §3.2.6, lower-case as gRPC and Node want them. */
export const VERSION_PARAM = 'a2a-version';
export const EXTENSIONS_PARAM = 'a2a-extensions';

/** Versions this platform speaks, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = ['1.0'];

/** What a request without a version means (A2A §3.6.2). */
export const IMPLIED_VERSION = '0.3';

const VERSION_FORM = /^(\d{1,3}\.\d{1,3})(\.\d{1,5})?$/;
const PRINTABLE_ASCII = /^[!-~]+$/;
const MAX_EXTENSIONS = 32;
const MAX_EXTENSIONS_LENGTH = 2_048;

/**
 * The protocol version a request asks for, patch number dropped (A2A §3.6).
 *
 * @param header value of the header or metadata entry, if any
 * @param query value of the request parameter of the same name, if any
 * @throws {InvalidParamsError} when header and parameter disagree
 * @throws {VersionNotSupportedError} when the version is malformed or not one of `supported`
 */
export function negotiateVersion(
  header: string | undefined,
  query: string | undefined,
  options: { supported?: readonly string[]; whenMissing?: string } = {},
): string {
  const { supported = SUPPORTED_VERSIONS, whenMissing = IMPLIED_VERSION } = options;
  if (header && query && header.trim() !== query.trim()) {
    throw InvalidParamsError.of('A2A-Version', 'header and request parameter disagree');
  }
  const requested = (header || query || '').trim() || whenMissing;
  const version = VERSION_FORM.exec(requested)?.[1];
  if (!version || !supported.includes(version)) throw new VersionNotSupportedError(supported);
  return version;
}

/**
 * Extension URIs a request asks for, in order, without repeats.
 *
 * @param value the header, several fields joined by commas
 * @throws {InvalidParamsError} for more than 32 URIs, more than 2 KiB or control characters
 */
export function parseExtensions(value: string | undefined): readonly string[] {
  if (!value) return [];
  const uris = [...new Set(value.split(',').map((uri) => uri.trim()))].filter((uri) => uri !== '');
  if (value.length > MAX_EXTENSIONS_LENGTH || uris.length > MAX_EXTENSIONS) {
    throw InvalidParamsError.of('A2A-Extensions', `at most ${MAX_EXTENSIONS} URIs and ${MAX_EXTENSIONS_LENGTH} characters`);
  }
  if (!uris.every((uri) => PRINTABLE_ASCII.test(uri))) {
    throw InvalidParamsError.of('A2A-Extensions', 'URIs hold printable ASCII characters only');
  }
  return uris;
}

/** The header value for a set of activated extensions; undefined when there are none. */
export function formatExtensions(uris: readonly string[]): string | undefined {
  return uris.length > 0 ? uris.join(', ') : undefined;
}
