import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { openSqlite } from './sqlite.connection.js';

describeStore('sqlite', 'the SQLite connection', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'a2a-sqlite-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each([
    ['machine', 2],
    [undefined, 2],
    ['crash', 1],
  ] as const)('waits for the disk as durability %s says', async (durability, synchronous) => {
    const { dataSource, database } = await openSqlite(path.join(directory, `${durability}.sqlite`), { durability });
    const settings = ['synchronous', 'journal_mode', 'foreign_keys', 'wal_autocheckpoint', 'busy_timeout', 'locking_mode'];
    const values = settings.map((name) => database.pragma(name, { simple: true }));
    await dataSource.destroy();
    expect(values).toEqual([synchronous, 'wal', 1, 4_000, 5_000, 'exclusive']);
  });
});
