import { readFileSync } from 'node:fs';
import { ConfigError, type HostConfig, readHostConfig } from './host.config.js';
import { settingsTable } from './settings.reference.js';

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readHostConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readHostConfig', () => {
  it('needs no setting at all', () => {
    expect(readHostConfig({})).toEqual<HostConfig>({
      host: '127.0.0.1',
      port: 3000,
      grpcPort: 50051,
      grpcAddress: '127.0.0.1:50051',
      publicUrl: 'http://127.0.0.1:3000',
      publicGrpc: '127.0.0.1:50051',
      databaseUrl: 'sqlite:./data/a2a.sqlite',
      httpAdapter: 'express',
      defaultAgent: 'incident-analyst',
      secret: undefined,
      securityFile: undefined,
      trustedProxies: [],
      frontDoor: { tls: undefined, allowedHosts: undefined, corsOrigins: undefined },
      limits: {
        requestBytes: 1_048_576,
        rates: { perAddress: undefined, perCaller: undefined, perTenant: undefined, perAgent: undefined },
      },
      logLevel: 'info',
      drainTimeoutMs: 10_000,
      conformance: undefined,
    });
  });

  it('takes a setting of nothing as unset', () => {
    expect(readHostConfig({ PORT: '', DATABASE_URL: '  ' })).toEqual(readHostConfig({}));
  });

  it('ignores what is not its own', () => {
    expect(readHostConfig({ PATH: '/bin', NODE_ENV: 'production' })).toEqual(readHostConfig({}));
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '0x10'],
    ['PORT', '80 '],
    ['PORT', 'http'],
    ['GRPC_PORT', '-1'],
    ['HTTP_ADAPTER', 'koa'],
    ['A2A_DEFAULT_AGENT', 'no spaces'],
    ['A2A_TRUSTED_PROXIES', '10.0.0.0/8,nonsense'],
    ['A2A_TRUSTED_PROXIES', '10.0.0.0/99'],
    ['A2A_PUBLIC_GRPC', 'https://agents.example.com'],
    ['LOG_LEVEL', 'loud'],
    ['A2A_DRAIN_TIMEOUT_MS', '-5'],
    ['A2A_CONFORMANCE_AGENT', 'perhaps'],
    ['A2A_CONFORMANCE_PROFILE', 'half'],
  ])('refuses %s=%s and names it, the value and the next step', (name, value) => {
    const [problem, ...others] = problemsOf({ [name]: value });
    expect(problem).toContain(`${name} is ${JSON.stringify(value)}: it must be `);
    expect(problem).toContain('unset it for the default');
    expect(others).toEqual([]);
  });

  it.each([
    ['DATABASE_URL', 'mysql://root:canary-4711@db/a2a'],
    ['A2A_SECRET', 'canary-4711'],
    ['A2A_PUBLIC_URL', 'https://user:canary-4711@agents.example.com'],
    ['A2A_PUBLIC_URL', 'https://agents.example.com?key=canary-4711'],
    ['A2A_PUBLIC_URL', 'ftp://canary-4711'],
    ['A2A_PUBLIC_URL', 'canary-4711'],
  ])('refuses %s=%s without repeating it', (name, value) => {
    const [problem] = problemsOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} is not usable`));
    expect(problem).not.toContain('canary');
  });

  it('reports all wrong settings at once', () => {
    const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'x', A2A_SECRET: 'x', HTTP_ADAPTER: 'fastify' });
    expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual(['A2A_SECRET', 'LOG_LEVEL', 'PORT']);
  });

  it('refuses one port for both servers', () => {
    expect(problemsOf({ PORT: '4000', GRPC_PORT: '4000' })).toEqual([expect.stringContaining('GRPC_PORT is 4000, the same as PORT')]);
  });

  it.each([
    [{ HOST: '0.0.0.0' }, 'http://localhost:3000', 'localhost:50051'],
    [{ HOST: '::1' }, 'http://[::1]:3000', '[::1]:50051'],
    [{ A2A_PUBLIC_URL: 'https://agents.example.com/' }, 'https://agents.example.com', 'agents.example.com:50051'],
    [{ A2A_PUBLIC_URL: 'https://a.example/base', A2A_PUBLIC_GRPC: 'grpc.a.example:443' }, 'https://a.example/base', 'grpc.a.example:443'],
  ])('makes public addresses of %j', (environment, publicUrl, publicGrpc) => {
    expect(readHostConfig(environment)).toMatchObject({ publicUrl, publicGrpc });
  });

  it('makes the conformance agent the default where it is on, unless another is named', () => {
    expect(readHostConfig({ A2A_CONFORMANCE_AGENT: '1' })).toMatchObject({
      defaultAgent: 'conformance',
      conformance: { profile: 'full', extendedCard: false },
    });
    expect(readHostConfig({ A2A_CONFORMANCE_AGENT: 'true', A2A_DEFAULT_AGENT: 'echo' }).defaultAgent).toBe('echo');
    expect(readHostConfig({ A2A_CONFORMANCE_AGENT: '0' }).conformance).toBeUndefined();
  });

  it('has every setting in docs/configuration.md as the code has it', () => {
    const withoutPadding = readFileSync('docs/configuration.md', 'utf8').replace(/ +/g, ' ').replace(/-{3,}/g, '---');
    expect(withoutPadding).toContain(settingsTable());
  });
});
