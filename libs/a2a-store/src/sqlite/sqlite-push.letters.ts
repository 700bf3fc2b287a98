import { type DeadLetter } from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { type LetterRow, toDeadLetter } from '../push-rows.js';

/** Dead letters in a SQLite file. To be called inside a transaction. */
export class SqlitePushLetters {
  readonly #add: Database.Statement<[object]>;
  readonly #of: Database.Statement<[number], LetterRow>;
  readonly #deleteBehind: Database.Statement<[number, number]>;

  constructor(database: Database.Database) {
    this.#add = database.prepare(
      'INSERT OR REPLACE INTO a2a_push_letter (push_no, version, reason, attempts, at) VALUES (@no, @version, @reason, @attempts, @atMs)',
    );
    this.#of = database.prepare('SELECT * FROM a2a_push_letter WHERE push_no = ? ORDER BY version');
    this.#deleteBehind = database.prepare('DELETE FROM a2a_push_letter WHERE push_no = ? AND version > ?');
  }

  add(no: number, letter: DeadLetter): void {
    this.#add.run({ ...letter, no });
  }

  /** Oldest first. */
  of(no: number): DeadLetter[] {
    return this.#of.all(no).map(toDeadLetter);
  }

  /** @returns how many there were */
  deleteBehind(no: number, version: number): number {
    return this.#deleteBehind.run(no, version).changes;
  }
}
