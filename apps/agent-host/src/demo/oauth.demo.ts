import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { demoSecurity } from './demo.security.js';
import { demoSteps, run, toCommand } from './demo.steps.js';
import { startDemoIdentityProvider } from './identity-provider.js';

/**
 * `npm run demo:oauth`: an identity provider, a protected agent, its extended card and two tenants, on this machine.
 *
 * Every step is shown as a command and then done, so what is printed is what works. Afterwards everything stays up to be tried by hand,
 * until Ctrl-C. Settings of the host come from the environment as ever; DEMO_IDP_PORT is the provider's port.
 */
const MAIN = join(process.cwd(), 'dist/apps/agent-host/apps/agent-host/src/main.js');
/** Of an answer; a card is longer than a screen. */
const SHOWN_CHARACTERS = 600;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { PORT = '3000', GRPC_PORT = '50051', DEMO_IDP_PORT = '4000' } = process.env;
const host = `http://127.0.0.1:${PORT}`;
const audience = `${host}/agents/billing`;
const provider = await startDemoIdentityProvider(Number(DEMO_IDP_PORT), audience);

const folder = mkdtempSync(join(tmpdir(), 'a2a-demo-'));
const securityFile = join(folder, 'security.json');
writeFileSync(securityFile, JSON.stringify(demoSecurity(provider.issuer, audience), null, 2));

const env = { ...process.env, PORT, GRPC_PORT, DATABASE_URL: 'memory:', A2A_SECURITY_FILE: securityFile };
const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(child, 'close');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
await Promise.race([untilReady(), ended]);

if (child.exitCode === null) {
  await showAll();
  say(`\nIt stays up: agents at ${host}, gRPC at 127.0.0.1:${GRPC_PORT}, identity provider at ${provider.issuer}.`);
  say(`The security file is ${securityFile}. Stop with Ctrl-C.`);
}
await ended;
await provider.stop();
rmSync(folder, { recursive: true });

async function untilReady(): Promise<void> {
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) if (line.includes('"msg":"Ready"')) break;
  child.stdout.resume();
}

async function showAll(): Promise<void> {
  const answers = new Map<string, unknown>();
  for (const step of demoSteps(host, provider.issuer, audience)) {
    const request = step.request(answers);
    say(`\n# ${step.title}\n${toCommand(request)}`);
    const response = await run(request);
    const body = (await response.json()) as unknown;
    answers.set(step.title, body);
    say(`→ ${response.status} ${JSON.stringify(body).slice(0, SHOWN_CHARACTERS)}`);
    if (typeof body === 'object' && body && 'access_token' in body) say(`TOKEN='${String(body.access_token)}'`);
    if (response.status !== step.status) throw new Error(`Expected ${step.status}: ${step.title}`);
  }
}
