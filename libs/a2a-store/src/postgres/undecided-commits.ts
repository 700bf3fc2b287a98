import { type EncodedChange } from '../encoded-change.js';
import { type PostgresConnection, type Statement } from './postgres.connection.js';

/** More than a server can have open at once; the oldest are forgotten. */
const REMEMBERED = 10_000;

const STORED_EVENTS: Statement = {
  name: 'a2a_stored_events',
  text: `SELECT payload FROM a2a_event
         WHERE task_no = (SELECT no FROM a2a_task WHERE key = $1) AND version > $2 AND version <= $3 ORDER BY version`,
};

/**
 * Commits whose answer was lost. The database may have kept them, or may still do so.
 *
 * They may be sent again, since each is bound to the version it follows. When that is refused, the rival may be the first sending itself:
 * then the events in the log are the ones we sent.
 */
export class UndecidedCommits {
  readonly #changes = new Map<string, EncodedChange>();

  constructor(private readonly connection: PostgresConnection) {}

  add(changes: readonly EncodedChange[]): void {
    for (const change of changes) this.#changes.set(placeOf(change), change);
    for (const key of this.#changes.keys()) {
      if (this.#changes.size <= REMEMBERED) break;
      this.#changes.delete(key);
    }
  }

  settle(change: EncodedChange): void {
    if (this.#changes.size > 0) this.#changes.delete(placeOf(change));
  }

  /**
   * What is left of a refused change when an undecided one, which it begins with, turns out to be stored; undefined when the refusal is a
   * real one.
   */
  async restOf(change: EncodedChange): Promise<EncodedChange | undefined> {
    const sent = this.#changes.get(placeOf(change));
    if (!sent || !beginsWith(change.events, sent.events)) return undefined;
    const { key, expectedVersion, version, events } = sent;
    const stored = await this.connection.runRepeatable<{ payload: string }>(STORED_EVENTS, [key, expectedVersion, version]);
    const isOurs =
      stored.length === events.length &&
      beginsWith(
        events,
        stored.map(({ payload }) => payload),
      );
    if (!isOurs) return undefined;
    return { ...change, expectedVersion: version, events: change.events.slice(events.length), messageId: null, digest: null };
  }
}

/** One place in one task's log. */
function placeOf({ key, expectedVersion }: EncodedChange): string {
  return `${expectedVersion} ${key}`;
}

function beginsWith(events: readonly string[], first: readonly string[]): boolean {
  return first.length <= events.length && first.every((payload, index) => payload === events[index]);
}
