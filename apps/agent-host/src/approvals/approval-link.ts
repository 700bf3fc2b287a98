import { dataPart, type Part, textPart } from '@a2a/a2a-core';
import { type Approval } from './approval.js';

/** Parts of a status message that sends somebody to the approval's page: a sentence for people, the same as data for programs. */
export function approvalRequest(sentence: string, url: string, approval: Approval): Part[] {
  const expiresAt = new Date(approval.expiresAtMs).toISOString();
  return [textPart(`${sentence}: ${url}`), dataPart({ approvalUrl: url, expiresAt })];
}
