import Database from 'better-sqlite3';
import pg from 'pg';

/** Keeps events; an append resolves when they are on disk. */
export interface FloorLog {
  append(task: string, version: number, events: readonly string[]): Promise<unknown>;
}

export function openFloorLog(url: string): FloorLog | Promise<FloorLog> {
  return url.startsWith('postgres:') ? PostgresLog.open(url) : new SqliteLog(url.replace(/^sqlite:/, ''));
}

/** One transaction for all that is appended in one turn of the event loop. */
class SqliteLog implements FloorLog {
  readonly #database: Database.Database;
  readonly #insert: Database.Statement<[string, number, string]>;
  #waiting: { readonly write: () => void; readonly done: () => void }[] = [];

  constructor(file: string) {
    this.#database = new Database(file);
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = FULL');
    this.#database.exec('CREATE TABLE event (task TEXT, version INTEGER, payload TEXT, PRIMARY KEY (task, version)) WITHOUT ROWID');
    this.#insert = this.#database.prepare('INSERT INTO event VALUES (?, ?, ?)');
  }

  append(task: string, version: number, events: readonly string[]): Promise<void> {
    return new Promise((done) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ write: () => events.forEach((event, index) => this.#insert.run(task, version + index, event)), done });
    });
  }

  #flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#database.transaction(() => group.forEach(({ write }) => write()))();
    for (const { done } of group) done();
  }
}

/** One prepared statement for each append. */
class PostgresLog implements FloorLog {
  private constructor(private readonly pool: pg.Pool) {}

  static async open(url: string): Promise<FloorLog> {
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    await pool.query('CREATE TABLE event (task text, version int, payload text, PRIMARY KEY (task, version))');
    return new PostgresLog(pool);
  }

  append(task: string, version: number, events: readonly string[]): Promise<unknown> {
    const versions = events.map((_, index) => version + index);
    const text = 'INSERT INTO event SELECT $1, version, payload FROM unnest($2::int[], $3::text[]) AS e (version, payload)';
    return this.pool.query({ name: 'append', text, values: [task, versions, events] });
  }
}
