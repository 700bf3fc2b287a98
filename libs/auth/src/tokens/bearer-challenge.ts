import { formatChallenge } from '../security/challenge.js';
import { type ChallengeFacts } from '../security/scheme-verifier.js';

/** What every wrong token is told. Saying more would help only those who guess. */
const DESCRIPTIONS = {
  invalid_token: 'The access token is not valid',
  insufficient_scope: 'The access token does not grant the scope this needs',
} as const;

/** A bearer challenge (RFC 6750 §3), pointing to the resource's metadata where there is some (RFC 9728 §5.1). */
export function bearerChallenge({ realm, scopes, error, resourceMetadataUrl }: ChallengeFacts): string {
  return formatChallenge('Bearer', {
    realm,
    error,
    error_description: error && DESCRIPTIONS[error],
    scope: scopes.join(' '),
    resource_metadata: resourceMetadataUrl,
  });
}
