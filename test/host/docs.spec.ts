import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Pages that show the way through a folder. */
const FOLDERS = [
  ['apps/agent-host/README.md', 'apps/agent-host/src'],
  ['test/README.md', 'test'],
  ...readdirSync('libs').map((library) => [`libs/${library}/README.md`, `libs/${library}/src`] as const),
] as const;
const PAGES = [
  'README.md',
  ...FOLDERS.map(([page]) => page),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((page) => join('docs', page)),
].filter((page) => page.endsWith('.md'));

function read(page: string): string {
  return readFileSync(page, 'utf8');
}

/** Where a page shows a part of a file, it shows it further left. */
function outdented(code: string): string {
  return code.replace(/^ +/gm, '');
}

/** Source files that a page names, such as `libs/a2a-core/src/index.ts`; on the page of a library also `src/index.ts`. */
function filesNamedIn(page: string): string[] {
  return [...read(page).matchAll(/`((?:apps|libs|test|proto|scripts|docs|src)\/[\w./*-]+\.\w+)`/g)]
    .map((match) => match[1] ?? '')
    .map((file) => (existsSync(file) ? file : join(dirname(page), file)));
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

describe.each(PAGES.filter((page) => page.startsWith('docs/adding/')))('%s', (page) => {
  it('shows code as it stands in a file that it names', () => {
    const blocks = [...read(page).matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    const sources = filesNamedIn(page).map((file) => outdented(read(file)));
    expect(blocks.filter((block) => !sources.some((source) => source.includes(outdented(block))))).toEqual([]);
  });

  it('is linked from the README', () => {
    expect(read('README.md')).toContain(`(${page})`);
  });
});

describe.each(FOLDERS)('%s', (page, source) => {
  it('says what each folder is for', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => `\`${name}/\``).filter((name) => !read(page).includes(name))).toEqual([]);
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

  it('names npm scripts that exist, and every one that people run', () => {
    const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);
    const named = [...read('README.md').matchAll(/(?:`npm (?:run )?|^npm run |, `)([a-z][\w:]*)/gm)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
    expect(scripts.filter((script) => !script.startsWith('pre') && !named.includes(script))).toEqual([]);
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
