import { HostLogger } from './host.logger.js';
import { NestLoggerService } from './nest-logger.service.js';

const CANARY = 'canary7f3a9b2c';
const JWT = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ${CANARY}.c2lnbmF0dXJl${CANARY}`;

function capture(level: 'debug' | 'info' | 'silent' = 'info') {
  const lines: string[] = [];
  return { lines, logger: new HostLogger(level, { write: (line) => void lines.push(line) }) };
}

function lineOf(message: string, facts?: Record<string, unknown>): string {
  const { lines, logger } = capture();
  logger.error(message, facts);
  expect(lines).toHaveLength(1);
  expect(() => JSON.parse(lines[0] ?? '') as unknown).not.toThrow();
  return lines[0] ?? '';
}

describe('HostLogger', () => {
  it('writes one line of JSON with level, time, message and facts', () => {
    expect(JSON.parse(lineOf('Call', { taskId: 't-1', durationMs: 3 }))).toEqual({
      level: 'error',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      taskId: 't-1',
      durationMs: 3,
      msg: 'Call',
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a header', { headers: { authorization: `Bearer ${CANARY}` } }],
    ['a header in another case', { headers: { 'X-API-Key': CANARY } }],
    ['a map of headers', { headers: new Map([['cookie', CANARY]]) }],
    ['a deep member', { a: { b: { c: { clientSecret: CANARY } } } }],
    ['a list under a secret name', { tokens: [CANARY] }],
    ['a member of a list', { configs: [{ password: CANARY }] }],
    ['a number under a secret name', { password: 4711, note: 'ok' }],
    ['a key nobody guards, as text', { note: `Authorization: Bearer ${CANARY}` }],
    ['a short bearer token', { note: `authorization: Bearer ${CANARY.slice(0, 6)}` }],
    ['basic credentials in text', { note: `sent Basic ${Buffer.from(`user:${CANARY}`).toString('base64')}${CANARY}` }],
    ['a JWT in text', { note: `got ${JWT} from the caller` }],
    ['userinfo of a URL', { note: `postgres://app:${CANARY}@db/a2a` }],
    ['a password with an at sign in a URL', { note: `postgres://app:p@${CANARY}@db/a2a` }],
    ['a query parameter', { url: `https://h.example/x?a=1&access_token=${CANARY}&b=2` }],
    ['an API key in a query', { url: `/card?api_key=${CANARY}` }],
    ['JSON inside text', { note: JSON.stringify({ user: 'u', password: CANARY }) }],
    ['JSON inside JSON inside text', { note: JSON.stringify({ body: JSON.stringify({ refresh_token: CANARY }) }) }],
    ['a cookie header in text', { note: `Cookie: theme=dark; session=${CANARY}` }],
    ['an escaped query parameter', { note: `callback?next=%2Fx%3Ftoken%3D${CANARY}` }],
    ['a pair in text', { note: `failed with password=${CANARY}` }],
    ["an error's text", { error: new Error(`connect postgres://app:${CANARY}@db failed`) }],
    ["an error's own member", { error: Object.assign(new Error('refused'), { config: { headers: { authorization: CANARY } } }) }],
    ["an error's cause", { error: new Error('outer', { cause: new Error(`Bearer ${CANARY}`) }) }],
    ['bytes', { body: Buffer.from(CANARY) }],
  ])('lets no credential out of %s [E17]', (_, facts) => {
    const line = lineOf('Something happened', facts);
    expect(line).not.toContain(CANARY.slice(0, 6));
    expect(line).not.toContain('4711');
  });

  it('guards the message itself [E17]', () => {
    expect(lineOf(`token=${CANARY}`)).not.toContain(CANARY);
  });

  it('keeps what is no credential', () => {
    const facts = { taskId: 't-1', bytes: 12, authenticated: true, note: 'The token is missing', url: 'http://127.0.0.1:3000/agents/echo' };
    expect(JSON.parse(lineOf('Call', facts))).toMatchObject(facts);
  });

  it('gives a caller no way to write a line of its own [E18]', () => {
    const { lines, logger } = capture();
    logger.info('x\n{"level":"error","msg":"forged"}', { note: 'y\n{"level":"error"}\r\n' });
    expect(lines.join('').trimEnd().split('\n')).toHaveLength(1);
  });

  it('keeps type, text, stack and cause of an error', () => {
    const error = new TypeError('broken', { cause: new Error('root') });
    expect(JSON.parse(lineOf('Failed', { errorId: 'e-1', error }))).toMatchObject({
      errorId: 'e-1',
      error: { type: 'TypeError', message: 'broken', stack: expect.stringContaining('host.logger.spec'), cause: { message: 'root' } },
    });
  });

  it('cuts long texts, long lists and deep objects, and survives a circle', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const line = lineOf('Large', { text: 'x'.repeat(100_000), list: Array.from({ length: 10_000 }, (_, i) => i), circle });
    expect(line.length).toBeLessThan(4_000);
    expect(line).toContain('(97952 more)');
  });

  it('takes linear time for a text made to be slow', () => {
    const started = process.cpuUsage();
    for (const piece of ['eyJ-', 'a.', 'token', 'bearer ', '://a', 'cookie:']) lineOf('Slow', { text: piece.repeat(2_048) });
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(500);
  });

  it('writes nothing below its level', () => {
    const { lines, logger } = capture('silent');
    logger.error('Not written');
    expect(lines).toEqual([]);
  });
});

describe('NestLoggerService', () => {
  it("puts Nest's lines into the same log, with the class that speaks", () => {
    const { lines, logger } = capture();
    new NestLoggerService(logger).log('Nest application successfully started', 'NestApplication');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      msg: 'Nest application successfully started',
      source: 'NestApplication',
    });
  });

  it('keeps the hundred lines about routes for those who ask', () => {
    const [usual, debugging] = [capture('info'), capture('debug')];
    for (const { logger } of [usual, debugging]) new NestLoggerService(logger).log('Mapped {/x, GET} route', 'RouterExplorer');
    expect(usual.lines).toEqual([]);
    expect(JSON.parse(debugging.lines[0] ?? '')).toMatchObject({ level: 'debug', source: 'RouterExplorer' });
  });

  it('keeps the stack that Nest passes and the error that is the message', () => {
    const { lines, logger } = capture();
    const nest = new NestLoggerService(logger);
    nest.error('Failed', 'Error: x\n  at y', 'ExceptionsHandler');
    nest.error(new Error('thrown'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', details: ['Error: x\n  at y'], source: 'ExceptionsHandler' });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ msg: 'thrown', entry: { type: 'Error' } });
  });
});
