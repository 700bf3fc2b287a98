import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const IMPORTS: [file: string, may: 'may' | 'may not', imported: string][] = [
  ['libs/a2a-core/src/tasks/a.ts', 'may', '@nestjs/common'],
  ['libs/a2a-core/src/tasks/a.ts', 'may', '@bufbuild/protobuf/wkt'],
  ['libs/a2a-core/src/tasks/a.ts', 'may', 'node:fs/promises'],
  ['libs/a2a-core/src/tasks/a.ts', 'may', '../protocol/b.js'],
  ['libs/a2a-core/src/tasks/a.spec.ts', 'may', '@nestjs/testing'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', '@nestjs/testing'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', '@nestjs/microservices'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', 'express'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', 'undici'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', 'rxjs'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', '@a2a/auth'],
  ['libs/a2a-core/src/tasks/a.spec.ts', 'may not', '@a2a/a2a-store'],
  ['libs/a2a-core/src/tasks/a.ts', 'may not', '../../../auth/src/index.js'],
  ['libs/a2a-store/src/a.ts', 'may', '@a2a/a2a-core'],
  ['libs/a2a-store/src/a.ts', 'may', 'typeorm'],
  ['libs/a2a-store/src/a.ts', 'may not', '@a2a/auth'],
  ['libs/a2a-store/src/a.ts', 'may not', '@a2a/outbound'],
  ['libs/a2a-store/src/a.ts', 'may not', '@grpc/grpc-js'],
  ['libs/a2a-store/src/a.ts', 'may not', '@a2a/a2a-core/tasks/task-scope.js'],
  ['libs/auth/src/schemes/a.ts', 'may', 'jose'],
  ['libs/auth/src/schemes/a.ts', 'may not', '@a2a/a2a-store'],
  ['libs/auth/src/schemes/a.ts', 'may not', '@a2a/a2a-bindings'],
  ['libs/auth/src/schemes/a.ts', 'may not', 'pg'],
  ['libs/auth/src/schemes/a.ts', 'may not', 'express'],
  ['libs/outbound/src/a.ts', 'may', 'undici'],
  ['libs/outbound/src/a.ts', 'may not', '@a2a/auth'],
  ['libs/a2a-client/src/a.ts', 'may', '@a2a/a2a-core'],
  ['libs/a2a-client/src/a.ts', 'may not', '@a2a/a2a-bindings'],
  ['libs/a2a-client/src/a.ts', 'may not', '@a2a/outbound'],
  ['libs/a2a-bindings/src/rest/a.ts', 'may', '@a2a/auth'],
  ['libs/a2a-bindings/src/grpc/a.ts', 'may', '@grpc/grpc-js'],
  ['libs/a2a-bindings/src/grpc/a.ts', 'may', 'rxjs'],
  ['libs/a2a-bindings/src/rest/a.ts', 'may not', 'rxjs'],
  ['libs/a2a-bindings/src/rest/a.ts', 'may not', '@grpc/grpc-js'],
  ['libs/a2a-bindings/src/rest/a.ts', 'may not', '@a2a/a2a-store'],
  ['libs/a2a-bindings/src/rest/a.ts', 'may not', 'typeorm'],
  ['apps/agent-host/src/a.ts', 'may', '@a2a/a2a-store'],
  ['apps/agent-host/src/a.ts', 'may not', '@a2a/a2a-store/rows.js'],
  ['apps/agent-host/src/a.ts', 'may not', '../../../libs/a2a-core/src/index.js'],
  ['test/http/a.spec.ts', 'may not', '@a2a/a2a-core/clock.js'],
];

describe('the linter says that', () => {
  /** Rules that files of the project would break if they held these imports. */
  const broken = new Map<string, string[]>();

  beforeAll(() => {
    const root = mkdtempSync(join(tmpdir(), 'a2a-lint-'));
    copyFileSync('.oxlintrc.json', join(root, '.oxlintrc.json'));
    for (const [index, [file, , imported]] of IMPORTS.entries()) {
      const path = join(root, numbered(file, index));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `export { a } from '${imported}';\n`);
    }
    writeFileSync(join(root, 'one.ts'), "import { type Two } from './two.js';\nexport type One = Two | 1;\n");
    writeFileSync(join(root, 'two.ts'), "import { type One } from './one.js';\nexport type Two = { one: One };\n");
    const oxlint = join(process.cwd(), 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json', '.'], { cwd: root, encoding: 'utf8' });
    rmSync(root, { recursive: true });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    for (const { code, filename } of diagnostics) broken.set(filename, [...(broken.get(filename) ?? []), code]);
  });

  it.each(IMPORTS.map((row, index) => [...row, index] as const))('%s %s import %s', (file, may, _imported, index) => {
    expect(broken.get(numbered(file, index)) ?? []).toEqual(may === 'may' ? [] : ['eslint(no-restricted-imports)']);
  });

  it('no two files import each other, not even for a type', () => {
    expect([broken.get('one.ts'), broken.get('two.ts')]).toEqual([['import(no-cycle)'], ['import(no-cycle)']]);
  });
});

/** `a.spec.ts` as `a7.spec.ts`, so that every import has a file of its own. */
function numbered(file: string, index: number): string {
  return file.replace(/\/a\./, `/a${index}.`);
}
