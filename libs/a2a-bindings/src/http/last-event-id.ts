import { type CallSeed, InvalidParamsError, type Operation } from '@a2a/a2a-core';

const HEADER = 'last-event-id';
const DIGITS = /^\d{1,15}$/;

/**
 * Version of the last event that a resuming reader has seen, as SSE tells it; undefined for a fresh reader and for any other operation
 * than SubscribeToTask.
 *
 * @throws {InvalidParamsError} for an id that was never one of ours
 */
export function lastEventVersion({ headers }: CallSeed, { name }: Operation): number | undefined {
  const value = headers.get(HEADER);
  if (value === undefined || name !== 'SubscribeToTask') return undefined;
  if (!DIGITS.test(value)) throw InvalidParamsError.of('Last-Event-ID', 'must be the id of an event of this task');
  return Number(value);
}
