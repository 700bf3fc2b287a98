import { readFileSync } from 'node:fs';
import { OPERATION_COSTS } from '@a2a/auth';
import { DEFAULT_CAPS, DEFAULT_LIMITS } from '@a2a/a2a-core';

const PAGE = readFileSync('docs/limits.md', 'utf8');

interface Row {
  readonly limit: string;
  readonly value: number;
  readonly file: string;
  readonly name: string;
}

/** `| limit | 1 048 576 bytes | … | … | `file` `name` |` */
function rowsOf(page: string): Row[] {
  const lines = [...page.matchAll(/^\| *([^|]+?) *\| *(\d[\d ]*?)(?: [a-z]+)? *\|[^|]*\|[^|]*\| *`([\w./-]+)` `(\w+)` *\|$/gm)];
  return lines.map(([, limit = '', value = '', file = '', name = '']) => ({
    limit,
    value: Number(value.replaceAll(' ', '')),
    file,
    name,
  }));
}

const UNITS: Readonly<Record<string, number>> = { SECOND: 1_000, MINUTE: 60_000, HOUR: 3_600_000 };

/** What the code says: `name: 30 * 60_000`, `name = 64`, `name ?? 300_000`, or the points of a rate. */
function valuesIn(source: string, name: string): number[] {
  const found = source.matchAll(
    new RegExp(`\\b${name}\\b(?::\\s*number)?\\s*(?:[:=]|\\?\\?)\\s*(?:\\{ points: )?([\\d_]+(?:\\s*\\*\\s*(?:[\\d_]+|[A-Z]+))*)`, 'g'),
  );
  return [...found].map(([, product = '']) =>
    product.split('*').reduce((value, factor) => value * (UNITS[factor.trim()] ?? Number(factor.replaceAll('_', ''))), 1),
  );
}

const ROWS = rowsOf(PAGE);

/** Names of numbers in an object literal of a file. */
function numbersIn(file: string, literal: string): string[] {
  const source = readFileSync(file, 'utf8');
  const [, body = ''] = new RegExp(`${literal}[^{]*\\{([^}]*)\\}`).exec(source) ?? [];
  return [...body.matchAll(/^\s*(\w+): [\d_]/gm)].map(([, name = '']) => name);
}

describe('docs/limits.md', () => {
  it('has as many rows as anybody would expect', () => {
    expect(ROWS.length).toBeGreaterThan(60);
  });

  it.each(ROWS)('is right about $limit: $value', ({ file, name, value }) => {
    expect(valuesIn(readFileSync(file, 'utf8'), name)).toContain(value);
  });

  it.each([
    ['libs/a2a-bindings/src/a2a-bindings.options.ts', numbersIn('libs/a2a-bindings/src/a2a-bindings.options.ts', 'DEFAULT_HTTP_LIMITS')],
    ['libs/a2a-bindings/src/grpc/grpc.options.ts', numbersIn('libs/a2a-bindings/src/grpc/grpc.options.ts', 'const DEFAULTS')],
    ['apps/agent-host/src/front-door/server-limits.ts', numbersIn('apps/agent-host/src/front-door/server-limits.ts', 'SERVER_LIMITS')],
    ['libs/a2a-core/src/limits/limits.options.ts', Object.keys({ ...DEFAULT_LIMITS, ...DEFAULT_CAPS })],
    ['libs/auth/src/limits/rate-limits.options.ts', ['address', 'caller', 'tenant', 'agent']],
  ])('leaves out no limit of %s', (file, names) => {
    expect(names.length).toBeGreaterThan(3);
    const listed = ROWS.filter((row) => row.file === file).map(({ name }) => name);
    expect(names.filter((name) => !listed.includes(name) && name !== 'shutdownGraceMs')).toEqual([]);
  });

  it('says what every operation costs', () => {
    const rows = [...PAGE.matchAll(/^\| *((?:`\w+`(?:, )?)+|every other) *\| *(\d+) *\|$/gm)];
    const named = rows.flatMap(([, names = '', cost]) => [...names.matchAll(/\w+/g)].map(([name]) => [name, Number(cost)] as const));
    const costs = new Map<string, number>(named);
    const others = Number(rows.find(([, names]) => names === 'every other')?.[2]);
    for (const [operation, cost] of Object.entries(OPERATION_COSTS))
      expect([operation, costs.get(operation) ?? others]).toEqual([operation, cost]);
  });
});
