import { UnavailableError } from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { sqliteCode } from './sqlite-code.js';

/** Keeps one turn of the event loop short when very many writes come at once. */
const LARGEST_GROUP = 512;

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly refusal: unknown };

/**
 * Group commit: all that is written in one turn of the event loop is one transaction, and one wait for the disk.
 *
 * - Writes run in the order they came, each seeing those before it.
 * - A write that throws before it has changed anything is refused alone.
 * - When the database itself fails one, the whole group is taken back and each of its writes is tried again alone, so that only the
 *   culprit fails.
 */
export class WriteQueue {
  #jobs: Job[] = [];
  #scheduled = false;
  #closed = false;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;

  constructor(private readonly database: Database.Database) {
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  /**
   * @param work synchronous; checks first and writes then; may run twice, the first time without effect
   * @returns what `work` returned, when it is on disk
   */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) throw new UnavailableError('The store is closed');
      this.#jobs.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /** Writes what is queued; later writes are refused. */
  close(): void {
    this.#closed = true;
    while (this.#jobs.length > 0) this.#flush();
  }

  #schedule(): void {
    if (this.#scheduled || this.#jobs.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
      this.#schedule();
    });
  }

  #flush(): void {
    const group = this.#jobs.splice(0, LARGEST_GROUP);
    if (group.length > 0) this.#transact(group);
  }

  #transact(group: readonly Job[]): void {
    let outcomes: Outcome[];
    try {
      this.#begin.run();
      outcomes = group.map(({ work }) => attempt(work));
      this.#commit.run();
    } catch (error) {
      if (this.database.inTransaction) this.#rollback.run();
      if (group.length > 1) for (const job of group) this.#transact([job]);
      else group[0]?.reject(error);
      return;
    }
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index] ?? { refusal: new Error('A write had no outcome') };
      if ('value' in outcome) resolve(outcome.value as never);
      else reject(outcome.refusal);
    });
  }
}

/** @throws what the database throws; everything else is the refusal of this write alone */
function attempt(work: () => unknown): Outcome {
  try {
    return { value: work() };
  } catch (refusal) {
    if (sqliteCode(refusal)) throw refusal;
    return { refusal };
  }
}
