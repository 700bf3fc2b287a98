import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { SYMPTOMS } from './findings/symptom.registry.js';

/** Every pattern written as a literal in the sources of the analysis. */
function literals(): (readonly [string, string])[] {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  return files.flatMap((file) => {
    const found: (readonly [string, string])[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.push([file, node.text]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(new URL(file, folder), 'utf8'), ts.ScriptTarget.ES2022));
    return found;
  });
}

/** Open-ended repetitions of a group that itself repeats without end, such as `(a+)*`: what makes matching exponential. */
function nestedRepetitions(pattern: string): string[] {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[(?:[^\]])*\]/g, 'x');
  const open: { at: number; endless: boolean }[] = [];
  const nested: string[] = [];
  for (let at = 0; at < bare.length; at += 1) {
    const isEndless = /^(?:[*+]|\{\d+,\})/.test(bare.slice(at));
    if (bare[at] === '(') open.push({ at, endless: false });
    else if (bare[at] === ')') {
      const group = open.pop();
      const repeats = /^(?:[*+]|\{\d+,\})/.test(bare.slice(at + 1));
      if (group?.endless && repeats) nested.push(bare.slice(group.at, at + 2));
      const outer = open.at(-1);
      if (outer && (group?.endless || repeats)) outer.endless = true;
    } else if (isEndless) {
      const group = open.at(-1);
      if (group) group.endless = true;
    }
  }
  return nested;
}

describe('Patterns', () => {
  it('finds nested repetitions where there are some', () => {
    expect(nestedRepetitions('^(?:a+)*$')).toEqual(['(?:a+)*']);
    expect(nestedRepetitions('(x(?:[()]*b)y)+')).toHaveLength(1);
    expect(nestedRepetitions('(?:a{1,9})+ [(+]* \\(a+\\)+')).toEqual([]);
  });

  it('are many, and none repeats an endless repetition', () => {
    const patterns = literals();
    expect(patterns.length).toBeGreaterThan(60);
    expect(patterns.filter(([, text]) => nestedRepetitions(text).length > 0)).toEqual([]);
  });

  it('of symptoms stay quick on text made to keep them busy', () => {
    const busy = ['a ', 'config ', 'function "a" ', 'connection to a ', 'roll back a ', 'circuit breaker a ', '(Killed process 1 ('].map(
      (text) => text.repeat(2_000).slice(0, 4_096),
    );
    const started = process.cpuUsage();
    for (const text of busy) for (const { pattern, subject } of SYMPTOMS) if (pattern.test(text)) subject?.exec(text);
    // 240 matches; each takes well under a millisecond. An exponential pattern would not come back at all.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});
