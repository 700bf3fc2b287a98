import { ConcurrentModification, DuplicateMessage, UnavailableError } from '@a2a/a2a-core';
import { type EncodedChange } from '../encoded-change.js';
import { parseKey } from '../key-text.js';
import { type CommitOutcome, type CommitRow, commitStatement } from './commit-statement.js';
import { GroupCommit } from './group-commit.js';
import { type PostgresConnection } from './postgres.connection.js';
import { hasUnknownOutcome } from './statement-failure.js';
import { UndecidedCommits } from './undecided-commits.js';

/** How often a statement is sent whose answer was lost. */
const SENDINGS = 4;

/** The way of changes into PostgreSQL: in groups, each change at most once even when an answer is lost. */
export class PostgresCommits {
  readonly #groups: GroupCommit<EncodedChange, CommitOutcome>;
  readonly #undecided: UndecidedCommits;

  constructor(
    private readonly connection: PostgresConnection,
    private readonly receiptTtlMs: number,
  ) {
    this.#groups = new GroupCommit(conflictKeys, (changes) => this.#send(changes));
    this.#undecided = new UndecidedCommits(connection);
  }

  /**
   * @returns the version the task now has
   * @throws {DuplicateMessage}
   * @throws {ConcurrentModification}
   * @throws {UnavailableError} when the database is away. Whether the change is stored may be open then; the same change may be committed
   * again, and so may one that goes on behind its events
   */
  async commit(change: EncodedChange): Promise<number> {
    const outcome = await this.#groups.run(change);
    if (outcome !== 'accepted') {
      const rest = await this.#undecided.restOf(change);
      if (!rest) throw refusal(outcome, change);
      if (rest.events.length > 0) await this.commit(rest);
    }
    this.#undecided.settle(change);
    return change.version;
  }

  /** Resolves when nothing is on its way. */
  idle(): Promise<void> {
    return this.#groups.idle();
  }

  async #send(changes: readonly EncodedChange[]): Promise<CommitOutcome[]> {
    const { statement, values } = commitStatement(changes, this.receiptTtlMs);
    let cause: unknown;
    for (let sending = 1; sending <= SENDINGS; sending++) {
      try {
        const outcomes: CommitOutcome[] = [];
        for (const { ord, outcome } of await this.connection.runOnce<CommitRow>(statement, values)) outcomes[ord] = outcome;
        return outcomes;
      } catch (failure) {
        if (!hasUnknownOutcome(failure)) throw failure;
        this.#undecided.add(changes);
        cause = failure.cause;
      }
    }
    throw new UnavailableError('The database is not available right now', 5, cause);
  }
}

/** A task moves once a group, and a message is new once a group. */
function conflictKeys({ key, agent, tenant, owner, messageId }: EncodedChange): string[] {
  return messageId === null ? [key] : [key, JSON.stringify([agent, tenant, owner, 'message', messageId])];
}

function refusal(outcome: CommitOutcome, { id, expectedVersion, messageId }: EncodedChange): Error {
  if (outcome === 'repeated') return new DuplicateMessage(parseKey(messageId ?? ''));
  return new ConcurrentModification(parseKey(id), expectedVersion);
}
