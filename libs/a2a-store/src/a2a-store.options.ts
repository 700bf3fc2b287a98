/** What `A2aStoreModule.forRoot` takes. */
export interface A2aStoreOptions {
  /**
   * Where the tasks are: `sqlite:./data/a2a.sqlite` (one process; the directory is made), `sqlite::memory:` (tests), or
   * `postgres://user:password@host:5432/database` (any number of processes).
   */
  readonly url: string;
  /**
   * What a committed event survives. `machine` (default): a crash of the process and a loss of power. `crash`: a crash of the process
   * only; a loss of power may take the last commits, never older ones. SQLite only: PostgreSQL's durability is set on the server.
   */
  readonly durability?: 'machine' | 'crash';
  /** Bring the tables up to date at start. Default true; safe with many processes starting at once. */
  readonly migrate?: boolean;
  /** How long a message id is remembered, for de-duplication (A2A §3.3.1). Milliseconds, default 24 hours. */
  readonly receiptTtlMs?: number;
  /** Most connections to PostgreSQL. Default 10. */
  readonly connections?: number;
  /** Longest a statement may take on PostgreSQL before it is given up as UNAVAILABLE. Milliseconds, default 2 000. */
  readonly statementTimeoutMs?: number;
}

/** A day. */
export const DEFAULT_RECEIPT_TTL_MS = 24 * 60 * 60 * 1000;

/** What a store's URL says. */
export type StoreAddress = { readonly dialect: 'sqlite'; readonly file: string } | { readonly dialect: 'postgres'; readonly url: string };

/**
 * @throws {Error} naming the accepted forms. The URL itself is not repeated: it may hold a password
 */
export function parseStoreUrl(url: string): StoreAddress {
  if (/^postgres(ql)?:\/\//.test(url)) return { dialect: 'postgres', url };
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (file) return { dialect: 'sqlite', file };
  throw new Error('A2aStoreModule: url must be sqlite:<file>, sqlite::memory: or postgres://user:password@host:port/database');
}
