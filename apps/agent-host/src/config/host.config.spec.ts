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
      webhooks: {
        previousSecrets: [],
        artifactUpdates: 'complete',
        configsPerTask: 5,
        configsPerOwner: 100,
        timeoutMs: 15_000,
        retryDelaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000],
        hostConcurrency: 4,
        hostRate: 10,
        targets: { ports: [443, 8443], allowHttp: false, openNetworks: undefined },
      },
      trustedProxies: [],
      frontDoor: { tls: undefined, allowedHosts: undefined, corsOrigins: undefined },
      limits: {
        requestBytes: 1_048_576,
        rates: { perAddress: undefined, perCaller: undefined, perTenant: undefined, perAgent: undefined },
      },
      logLevel: 'info',
      drainTimeoutMs: 10_000,
      retention: { tasksMs: 30 * 86_400_000, contextsMs: 90 * 86_400_000 },
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
    ['A2A_RETENTION_TASKS_DAYS', '-1'],
    ['A2A_RETENTION_CONTEXTS_DAYS', '1.5'],
    ['LOG_LEVEL', 'loud'],
    ['A2A_ALLOWED_HOSTS', 'https://agents.example.com'],
    ['A2A_ALLOWED_HOSTS', 'agents.example.com,'],
    ['A2A_CORS_ORIGINS', 'console.example.com'],
    ['A2A_CORS_ORIGINS', 'https://console.example.com/'],
    ['A2A_CORS_ORIGINS', '*,https://console.example.com'],
    ['A2A_MAX_REQUEST_BYTES', '16777217'],
    ['A2A_RATE_PER_CALLER', '100'],
    ['A2A_RATE_PER_CALLER', '0/60'],
    ['A2A_RATE_PER_ADDRESS', '100 / 60'],
    ['A2A_RATE_PER_AGENT', 'none'],
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

  it('reads rates, and switches them off where the conformance agent is on, unless one is named', () => {
    const usual = readHostConfig({ A2A_RATE_PER_CALLER: '100/10', A2A_RATE_PER_TENANT: 'unlimited' }).limits.rates;
    expect(usual).toEqual({ perAddress: undefined, perCaller: { points: 100, seconds: 10 }, perTenant: 'unlimited', perAgent: undefined });
    const tested = readHostConfig({ A2A_CONFORMANCE_AGENT: '1', A2A_RATE_PER_AGENT: '5/1' }).limits.rates;
    expect(tested).toEqual({
      perAddress: 'unlimited',
      perCaller: 'unlimited',
      perTenant: 'unlimited',
      perAgent: { points: 5, seconds: 1 },
    });
  });

  it('reads names and origins', () => {
    const { frontDoor } = readHostConfig({
      A2A_ALLOWED_HOSTS: 'Agents.example.com, [::1]:3000',
      A2A_CORS_ORIGINS: 'https://a.example,http://b.example:8080',
    });
    expect(frontDoor).toEqual({
      tls: undefined,
      allowedHosts: ['agents.example.com', '[::1]:3000'],
      corsOrigins: ['https://a.example', 'http://b.example:8080'],
    });
    expect(readHostConfig({ A2A_CORS_ORIGINS: '*' }).frontDoor.corsOrigins).toBe('*');
  });

  it('has every setting in docs/configuration.md as the code has it', () => {
    const withoutPadding = readFileSync('docs/configuration.md', 'utf8').replace(/ +/g, ' ').replace(/-{3,}/g, '---');
    expect(withoutPadding).toContain(settingsTable());
  });
});
