import { type QueryRunner } from 'typeorm';

/** The few words in which the two databases differ. */
export interface ColumnTypes {
  /** Counted up by the database. */
  readonly serial: 'integer' | 'bigint';
  /** Ids compare byte by byte, whatever language the database speaks, so that an order is the same everywhere. */
  readonly collation: 'C' | undefined;
}

/** The types in which the databases differ. */
export function columnTypes(dialect: string): ColumnTypes {
  return dialect === 'postgres' ? { serial: 'bigint', collation: 'C' } : { serial: 'integer', collation: undefined };
}

/** `postgres`, or a name of SQLite. */
export function dialectOf(runner: QueryRunner): string {
  return runner.dataSource.options.type;
}
