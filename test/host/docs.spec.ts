import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PAGES = ['README.md', ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((page) => join('docs', page))].filter(
  (page) => page.endsWith('.md'),
);

function read(page: string): string {
  return readFileSync(page, 'utf8');
}

/** Source files that a page names, such as `libs/a2a-core/src/index.ts`. */
function filesNamedIn(page: string): string[] {
  return [...read(page).matchAll(/`((?:apps|libs|test|proto|scripts|docs)\/[\w./*-]+\.\w+)`/g)].map((match) => match[1] ?? '');
}

describe.each(PAGES)('%s', (page) => {
  it('links to pages that exist', () => {
    const targets = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => join(dirname(page), match[1] ?? ''));
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  it('names files that exist', () => {
    expect(filesNamedIn(page).filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('README.md', () => {
  it('can be read in one go', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
  });

  it('begins with the command that sets up and starts, then the one that sets up and tests', () => {
    const blocks = [...read('README.md').matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]?.trim());
    expect(blocks.slice(0, 2)).toEqual(['npm run setup && npm start', 'npm run setup && npm test']);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('README.md').matchAll(/npm (?:run )?([a-z][\w:]*)/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !['start', 'test', 'ci', 'and'].includes(name) && !(name in scripts))).toEqual([]);
  });
});

describe('docs/life-of-a-call.md', () => {
  it('follows a call through thirteen steps, each with its file', () => {
    const steps = [...read('docs/life-of-a-call.md').matchAll(/^\| +(\d+) +\|.*`(?:libs|apps)\/[^`]+` *\|$/gm)].map((match) =>
      Number(match[1]),
    );
    expect(steps).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  });
});

describe('docs/adr/README.md', () => {
  it('lists every decision', () => {
    const decisions = readdirSync('docs/adr').filter((file) => /^\d{4}-/.test(file));
    expect(decisions.filter((file) => !read('docs/adr/README.md').includes(file))).toEqual([]);
  });
});
