import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './host.config.js';
import { resolveHostSecret } from './host.secret.js';

describe('resolveHostSecret', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-secret-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('uses the configured secret and writes nothing', () => {
    expect(resolveHostSecret({ secret: 'configured', databaseUrl: `sqlite:${folder}/a.sqlite` })).toBe('configured');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('makes one beside a SQLite file, for its owner only, and finds it again', () => {
    const config = { databaseUrl: `sqlite:${folder}/data/a.sqlite` };
    const first = resolveHostSecret(config);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(`${folder}/data/a.sqlite.secret`).mode & 0o777).toBe(0o600);
    expect(readdirSync(`${folder}/data`)).toEqual(['a.sqlite.secret']);
    expect(resolveHostSecret(config)).toEqual(first);
  });

  it('gives different databases different secrets', () => {
    const secretOf = (name: string) => resolveHostSecret({ databaseUrl: `sqlite:${folder}/${name}` });
    expect(secretOf('a.sqlite')).not.toBe(secretOf('b.sqlite'));
  });

  it('insists on one on PostgreSQL, where replicas must share it [E29]', () => {
    expect(() => resolveHostSecret({ databaseUrl: 'postgres://db/a2a' })).toThrow(ConfigError);
    expect(() => resolveHostSecret({ databaseUrl: 'postgres://db/a2a' })).toThrow('A2A_SECRET is not set');
  });

  it('makes one that ends with the process for memory, which forgets the tasks too', () => {
    const make = () => resolveHostSecret({ databaseUrl: 'memory:' });
    expect(make()).toMatch(/^[0-9a-f]{64}$/);
    expect(make()).not.toBe(make());
  });
});
