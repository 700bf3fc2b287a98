import { UnavailableError } from '@a2a/a2a-core';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { type A2aStoreOptions } from '../a2a-store.options.js';
import { storeEntities } from '../schema/entities.js';
import { mayWorkLater, StatementFailure, wasCancelled, wasRolledBack } from './statement-failure.js';

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 50;
/** How much later than the server the client gives up. */
const SILENT_SERVER_MS = 5_000;

/** A statement that is parsed once a connection. `name` is unique to the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** What it costs depends on what was asked for: one that took too long is not run again. Default false. */
  readonly costVaries?: boolean;
}

/** TypeORM owns the pool and the schema; the store's statements go straight to the driver, prepared once a connection. */
export class PostgresConnection {
  readonly #pool: pg.Pool;
  readonly #settled = new WeakSet<pg.PoolClient>();

  private constructor(
    readonly dataSource: DataSource,
    private readonly settings: string,
  ) {
    this.#pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  /** @throws when the server cannot be reached */
  static async open(url: string, options: Omit<A2aStoreOptions, 'url'>): Promise<PostgresConnection> {
    const { connections = 10, statementTimeoutMs = 2_000 } = options;
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      entities: storeEntities('postgres'),
      logging: false,
      installExtensions: false,
      applicationName: 'a2a-store',
      poolSize: connections,
      connectTimeoutMS: 5_000,
      // A connection that breaks while idle is replaced at its next use.
      poolErrorHandler: () => undefined,
      // The server gives up first; the client's own limit is for a server that is silent.
      extra: { keepAlive: true, query_timeout: statementTimeoutMs + SILENT_SERVER_MS },
    });
    await dataSource.initialize();
    return new PostgresConnection(dataSource, sessionSettings(statementTimeoutMs));
  }

  /**
   * Runs a statement that may run twice: it reads, or the second time changes nothing more. Repeated when the connection breaks.
   *
   * @throws {UnavailableError} when it does not work out after a few attempts
   */
  async runRepeatable<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#attempt<Row>(statement, values, () => true);
  }

  /**
   * Runs a statement that must not take effect twice. Repeated only when the server has certainly not kept it.
   *
   * @throws {StatementFailure} with outcome `unknown` when the connection broke before the answer
   * @throws {UnavailableError} when it was not applied and does not work out after a few attempts
   */
  async runOnce<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#attempt<Row>(statement, values, ({ outcome }) => outcome === 'not applied');
  }

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  async #attempt<Row>(
    statement: Statement,
    values: readonly unknown[],
    isRepeatable: (failure: StatementFailure) => boolean,
  ): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once<Row>(statement, values);
      } catch (failure) {
        if (!(failure instanceof StatementFailure) || !failure.isTransient || !isRepeatable(failure)) throw failure;
        const isTooMuch = statement.costVaries === true && wasCancelled(failure.cause);
        if (attempt === ATTEMPTS || isTooMuch) throw new UnavailableError('The database is not available right now', 5, failure.cause);
        await pause(FIRST_DELAY_MS * 3 ** (attempt - 1));
      }
    }
  }

  async #once<Row>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (!this.dataSource.isInitialized) throw new UnavailableError('The store is closed');
    const client = await this.#connect().catch((cause: unknown) => {
      throw new StatementFailure('not applied', true, cause);
    });
    try {
      const { rows } = await client.query({ name, text, values: [...values], types: NUMERIC_TYPES });
      client.release();
      return rows as Row[];
    } catch (cause) {
      const isKnown = wasRolledBack(cause);
      client.release(!isKnown);
      throw new StatementFailure(isKnown ? 'not applied' : 'unknown', mayWorkLater(cause), cause);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    if (this.#settled.has(client)) return client;
    // The statement that is under way reports a broken connection; unheard, the client's own report would end the process.
    client.on('error', () => undefined);
    try {
      await client.query(this.settings);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#settled.add(client);
    return client;
  }
}

/**
 * Every statement of the store finds its rows by an index, one for each row of its input. That plan is right from the first row to the
 * last, so it is made once a connection, and not weighed against scans that only look good while the tables are small.
 */
function sessionSettings(statementTimeoutMs: number): string {
  const settings = {
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_bitmapscan: 'off',
    jit: 'off',
    statement_timeout: statementTimeoutMs,
  };
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join(';');
}

const INT8 = 20;

/** Every bigint of ours is a count or a time in milliseconds and fits a number. */
const NUMERIC_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => (id === INT8 || id === 23 ? Number : (text: string) => text),
};

/** With a random part, so that those who collided do not do so again. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random())));
}
