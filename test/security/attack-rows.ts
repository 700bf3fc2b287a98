import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many rows each part of the attack table has: authentication, authorization, webhooks, floods and parsing, protocol and disclosure. */
const PARTS = { A: 26, B: 20, C: 23, D: 20, E: 30 } as const;

/** Ids of all rows, `A1` to `E30`. */
export const ATTACK_ROWS: readonly string[] = Object.entries(PARTS).flatMap(([part, count]) =>
  Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
);

/** Row ids between square brackets in the name of a test, alone or among others, or in front of it. */
const IN_BRACKETS = /\[([^[\]\n]*)\]/g;
const IN_FRONT = /['"`]([A-E]\d{1,2}):? /g;
const ROW = /(?<![\w-])[A-E]\d{1,2}(?![\w-])/g;

/** Rows by the files whose tests name them. */
export function rowsByFile(root: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of testFiles(root)) {
    const text = readFileSync(file, 'utf8');
    const named = [...text.matchAll(IN_BRACKETS)].flatMap(([, inside = '']) => inside.match(ROW) ?? []);
    const inFront = [...text.matchAll(IN_FRONT)].map(([, id = '']) => id);
    for (const row of new Set([...named, ...inFront])) found.set(row, [...(found.get(row) ?? []), file]);
  }
  return found;
}

/** Specs wherever they stand, and everything that suites are made of. */
function testFiles(root: string): string[] {
  return ['apps', 'libs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(root, folder, file))
      .filter((file) => file.endsWith('.ts') && /\.(spec|suite|contract)\.ts$|[/\\]test[/\\]/.test(file)),
  );
}
