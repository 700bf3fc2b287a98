/**
 * A statement failed.
 *
 * `outcome` says whether the database can have kept it: an error that the server answered rolled it back; a connection that broke before
 * the answer leaves it open.
 */
export class StatementFailure extends Error {
  constructor(
    readonly outcome: 'not applied' | 'unknown',
    /** Trying again may help. */
    readonly isTransient: boolean,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : 'Statement failed', { cause });
    this.name = 'StatementFailure';
  }
}

/** The database may have kept the statement. */
export function hasUnknownOutcome(error: unknown): error is StatementFailure {
  return error instanceof StatementFailure && error.outcome === 'unknown';
}

/** Classes of SQLSTATE after which nobody knows: the connection or the server went away (08, 57), or the server itself is broken. */
const OPEN_ENDED = new Set(['08', '57', '58', 'XX']);

/** Classes that speak of the server's condition and not of the statement. */
const CONDITIONS = new Set(['08', '53', '57', '58']);

/** A rival was first, in a way that shows only at the end: serialization, deadlock, a unique key, and the null of `received`. */
const COLLISIONS = new Set(['40001', '40P01', '23505', '23502']);

/** Statement timeout: the server cancelled the statement and undid it. */
const CANCELLED = '57014';

/** True when the server gave up the statement because it took too long. */
export function wasCancelled(error: unknown): boolean {
  return sqlState(error) === CANCELLED;
}

/** True when the server answered with an error that undid the statement. */
export function wasRolledBack(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && (state === CANCELLED || !OPEN_ENDED.has(state.slice(0, 2)));
}

/** True when the same statement may work later. */
export function mayWorkLater(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || COLLISIONS.has(state) || CONDITIONS.has(state.slice(0, 2));
}

/** Undefined when the error does not come from the server. (EPIPE looks like an SQLSTATE, but has no severity.) */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
