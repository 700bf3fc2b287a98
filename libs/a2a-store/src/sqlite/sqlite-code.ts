/**
 * The code of an error that SQLite reported, such as `SQLITE_BUSY`; undefined for any other error.
 *
 * Told by its form, not by its class: the driver is one for the process, its error class one for each loading of it.
 */
export function sqliteCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
