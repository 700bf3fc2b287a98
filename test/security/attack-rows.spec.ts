import { ATTACK_ROWS, rowsByFile } from './attack-rows.js';

describe('The attack table', () => {
  const rows = rowsByFile(process.cwd());

  it('has 119 rows', () => {
    expect(ATTACK_ROWS).toHaveLength(119);
    expect(new Set(ATTACK_ROWS).size).toBe(119);
  });

  it('is proven row by row: each is named by a test', () => {
    expect(ATTACK_ROWS.filter((row) => !rows.has(row))).toEqual([]);
  });
});
