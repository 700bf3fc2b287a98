import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolvePageTokenSecret } from './page-token.secret.js';

describe('resolvePageTokenSecret', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-secret-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('uses the configured key and writes nothing', () => {
    expect(resolvePageTokenSecret({ secret: 'configured', databaseUrl: `sqlite:${folder}/a.sqlite` })).toEqual({ secret: 'configured' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('makes a key beside a SQLite file, for its owner only, and finds it again', () => {
    const config = { databaseUrl: `sqlite:${folder}/data/a.sqlite` };
    const first = resolvePageTokenSecret(config);
    expect(first.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(`${folder}/data/a.sqlite.secret`).mode & 0o777).toBe(0o600);
    expect(readdirSync(`${folder}/data`)).toEqual(['a.sqlite.secret']);
    expect(resolvePageTokenSecret(config)).toEqual(first);
  });

  it('gives different databases different keys', () => {
    const keyOf = (name: string) => resolvePageTokenSecret({ databaseUrl: `sqlite:${folder}/${name}` }).secret;
    expect(keyOf('a.sqlite')).not.toBe(keyOf('b.sqlite'));
  });

  it('warns on PostgreSQL, where replicas must share the key', () => {
    const { secret, warning } = resolvePageTokenSecret({ databaseUrl: 'postgres://db/a2a' });
    expect(secret).toBeUndefined();
    expect(warning).toContain('A2A_SECRET is not set');
  });

  it('is silent for memory, which forgets the tasks too', () => {
    expect(resolvePageTokenSecret({ databaseUrl: 'memory:' })).toEqual({});
  });
});
