import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type DynamicModule, type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { A2aBindingsModule } from '@a2a/a2a-bindings';
import { A2aCoreModule } from '@a2a/a2a-core';
import { RestClient } from '../support/clients/rest.js';
import { freePorts } from '../support/free-ports.js';
import { type Host, startHost } from '../support/host.js';

const README = readFileSync('README.md', 'utf8');

function block(language: string, holding: string): string {
  const blocks = [...README.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');
  const found = blocks.find((text) => text.includes(holding));
  if (!found) throw new Error(`The README has no ${language} block with ${holding}`);
  return found;
}

describe("the README's agent", () => {
  const folder = join(process.cwd(), 'node_modules/.cache/readme-agent');
  const file = join(folder, 'counter.module.ts');
  let app: INestApplication | undefined;

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, block('ts', '@Agent('));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../../tsconfig.json',
        compilerOptions: { noEmit: true, rootDir: '../../..' },
        include: [file],
        exclude: [],
      }),
    );
  });

  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true });
  });

  it('has about twenty lines', () => {
    expect(readFileSync(file, 'utf8').trim().split('\n').length).toBeLessThanOrEqual(20);
  });

  it('compiles', () => {
    const tsc = join('node_modules', 'typescript-7', 'bin', 'tsc');
    expect(spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).toMatchObject({ stdout: '', status: 0 });
  });

  it('runs: it has a card and streams its words', async () => {
    const { CounterModule } = (await import(file)) as { CounterModule: Type };
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;

    @Module({})
    class ReadmeHost {
      static forRoot(): DynamicModule {
        return { module: ReadmeHost, imports: [A2aCoreModule.forRoot({ publicUrl: url }), A2aBindingsModule.forRoot(), CounterModule] };
      }
    }
    app = await NestFactory.create(ReadmeHost.forRoot(), { bodyParser: false, logger: false, abortOnError: false });
    await app.listen(port, '127.0.0.1');

    const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as { name: string; skills: { id: string }[] };
    expect(card).toMatchObject({ name: 'Counter', skills: [{ id: 'count' }] });

    const stream = await new RestClient(url).stream({
      message: { messageId: 'readme', role: 'ROLE_USER', parts: [{ text: 'one two three' }] },
    });
    const items = await stream.rest();
    const text = items.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts.map((part) => part.text) ?? []).join('');
    expect(text).toBe('1 one\n2 two\n3 three\n');
    expect(items.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe("the README's first call", () => {
  let host: Host;

  beforeAll(async () => {
    host = await startHost();
  });

  afterAll(() => host.stop());

  it('works as it is printed', async () => {
    const [card, send] = block('sh', 'curl').trim().split('\n').map(parseCurl);
    const onHost = (url = '') => url.replace('http://127.0.0.1:3000', host.httpUrl);
    expect((await fetch(onHost(card?.url))).status).toBe(200);

    const answer = await fetch(onHost(send?.url), { method: 'POST', headers: send?.headers, body: send?.body });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: expect.any(Array) } });
  });
});

describe('npm start', () => {
  it('starts the built host with the settings of the environment, and stops with it', async () => {
    const [port, grpcPort] = await freePorts(2);
    const child = spawn('npm', ['start'], {
      env: { ...process.env, PORT: String(port), GRPC_PORT: String(grpcPort), DATABASE_URL: 'memory:' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      for await (const line of createInterface({ input: child.stdout })) if (line.includes('"msg":"Ready"')) break;
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await once(child, 'close');
    }
  });
});

/** The parts of a command such as `curl URL -H 'A: b' -d '{…}'`. */
function parseCurl(line: string): { url: string; headers: [string, string][]; body?: string } {
  const [, url = '', ...options] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
  const valuesOf = (option: string) => options.filter((_, index) => options[index - 1] === option);
  const headers = valuesOf('-H').map((header): [string, string] => [header.split(': ')[0] ?? '', header.split(': ')[1] ?? '']);
  return { url, headers, body: valuesOf('-d')[0] };
}
