import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { demoSteps } from '../../apps/agent-host/src/demo/demo.steps.js';
import { freePorts } from '../support/free-ports.js';

describe('npm run demo:oauth', () => {
  it('shows a protected agent, its extended card and two tenants, and every command it prints works', async () => {
    const [port, grpcPort, providerPort] = await freePorts(3);
    const env = { ...process.env, PORT: String(port), GRPC_PORT: String(grpcPort), DEMO_IDP_PORT: String(providerPort) };
    const demo = spawn(process.execPath, ['--import', 'tsx', 'apps/agent-host/src/demo/oauth.demo.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: demo.stdout })) {
      lines.push(line);
      if (line.startsWith('It stays up')) break;
    }
    demo.kill('SIGTERM');
    expect(await once(demo, 'close')).toEqual([0, null]);

    const steps = demoSteps('http://host', 'http://issuer', 'audience');
    const shown = lines.flatMap((line, index) => (line.startsWith('# ') ? [[line, lines[index + 1], lines[index + 2]]] : []));
    expect(shown).toEqual(
      steps.map(({ title, status }) => [
        `# ${title}`,
        expect.stringMatching(/^curl 'http/),
        expect.stringMatching(new RegExp(`^→ ${status} `)),
      ]),
    );
    expect(lines.join('\n')).toContain('TASK_STATE_AUTH_REQUIRED');
  });
});
