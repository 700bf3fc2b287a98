import { type OutgoingHttpHeaders } from 'node:http';
import { type A2aError } from '@a2a/a2a-core';

/** Header fields that belong to an error, whatever the wire: challenges (RFC 9110 §11.6.1) and when to try again. */
export function errorHeaders({ details }: A2aError): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  if (details.challenges?.length) headers['www-authenticate'] = [...details.challenges];
  if (details.retryAfterSeconds !== undefined) headers['retry-after'] = String(details.retryAfterSeconds);
  return headers;
}
