import { type TaskPushNotificationConfig } from '../../gen/a2a_pb.js';
import { type FieldViolation, InvalidParamsError } from '../../protocol/errors.js';

/** Schemes that deliveries can carry, in their well-known spelling, keyed by lower case. */
const SCHEMES: ReadonlyMap<string, string> = new Map(['Bearer', 'Basic', 'ApiKey'].map((scheme) => [scheme.toLowerCase(), scheme]));

const VISIBLE_ASCII = /^[!-~]+( [!-~]+)*$/;
const MAX_SECRET_LENGTH = 4_096;
const MAX_ID_LENGTH = 256;

/**
 * Refuses what could not be delivered as the client means it (A2A §4.3.1, §13.2): a scheme we would have to drop, a value that would end a
 * header, a target that is not allowed.
 *
 * @param refusal what is wrong with the URL, if anything
 * @param path of the config within the request
 * @throws {InvalidParamsError} with every wrong member
 */
export function checkPushConfig(config: TaskPushNotificationConfig, refusal: string | undefined, path = ''): void {
  const { id, url, token, authentication } = config;
  const violations: FieldViolation[] = [];
  const refuse = (field: string, description: string): void => void violations.push({ field: `${path}${field}`, description });
  if (!url) refuse('url', 'required');
  else if (refusal) refuse('url', refusal);
  if (id && !isHeaderSafe(id, MAX_ID_LENGTH)) refuse('id', `1 to ${MAX_ID_LENGTH} visible ASCII characters`);
  if (token && !isHeaderSafe(token)) refuse('token', `at most ${MAX_SECRET_LENGTH} visible ASCII characters`);
  if (authentication) {
    if (!knownScheme(authentication.scheme)) refuse('authentication.scheme', `one of ${[...SCHEMES.values()].join(', ')}`);
    if (!isHeaderSafe(authentication.credentials))
      refuse('authentication.credentials', `1 to ${MAX_SECRET_LENGTH} visible ASCII characters`);
  }
  if (violations.length > 0) throw new InvalidParamsError(violations);
}

/** The well-known spelling of a scheme; undefined for one that we do not speak. */
export function knownScheme(scheme: string | undefined): string | undefined {
  return SCHEMES.get((scheme ?? '').toLowerCase());
}

function isHeaderSafe(text: string, maxLength = MAX_SECRET_LENGTH): boolean {
  return text.length <= maxLength && VISIBLE_ASCII.test(text);
}
