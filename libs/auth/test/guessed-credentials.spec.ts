import { type RateLimiterMemory } from 'rate-limiter-flexible';
import { apiKeyScheme } from '../src/index.js';
import { basic, KEYS, useAttackedHost } from './support/attacked-host.js';
import { AuthHost, headers } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const { at } = useAttackedHost();

describe('A23: guessing keys', () => {
  const guess = (times: number, remoteAddress?: string) =>
    Promise.all(Array.from({ length: times }, (_, n) => at('header', { ...headers({ 'x-api-key': `guess-${n}` }), remoteAddress })));

  it('is UNAUTHENTICATED thirty times, then RATE_LIMITED for a minute, right key or not', async () => {
    const errors = await guess(30, '198.51.100.1');
    expect(new Set(errors.map(({ error }) => error?.reason))).toEqual(new Set(['UNAUTHENTICATED']));
    const right = { ...headers({ 'x-api-key': 'right' }), remoteAddress: '198.51.100.1' };
    expect((await at('header', right)).error).toMatchObject({ reason: 'RATE_LIMITED', details: { retryAfterSeconds: 60 } });
    jest.setSystemTime(Date.now() + 61_000);
    expect((await at('header', right)).principal?.subject).toBe('robot');
  });

  it('waits a minute longer after each further failure, up to fifteen', async () => {
    await guess(30, '198.51.100.2');
    const waits: (number | undefined)[] = [];
    for (let round = 0; round < 16; round++) {
      const { error } = (await guess(1, '198.51.100.2'))[0]!;
      waits.push(error?.details.retryAfterSeconds);
      jest.setSystemTime(Date.now() + ((error?.details.retryAfterSeconds ?? 0) + 1) * 1_000);
      await guess(1, '198.51.100.2');
    }
    expect(waits.slice(0, 4)).toEqual([60, 120, 180, 240]);
    expect(waits.at(-1)).toBe(900);
  });

  it('is UNAVAILABLE while the shared count cannot be read, never open', async () => {
    const broken = { get: () => Promise.reject(new Error('redis is down')) } as unknown as RateLimiterMemory;
    const shared = await AuthHost.start(
      { authFailures: { waitStore: broken }, schemes: { key: apiKeyScheme({ in: 'header', name: 'x-api-key', keys: KEYS }) } },
      [hostedAgent({ id: 'a', security: { requirements: [{ key: [] }] } })],
    );
    expect((await shared.call(headers({ 'x-api-key': 'right' }))).error?.reason).toBe('UNAVAILABLE');
    await shared.stop();
  });

  it('does not hold up other addresses, nor callers who never fail', async () => {
    await guess(40, '198.51.100.3');
    expect((await at('header', { ...headers({ 'x-api-key': 'right' }), remoteAddress: '198.51.100.4' })).principal).toBeDefined();
  });

  it('counts a whole /64 as one address', async () => {
    for (let n = 0; n < 30; n++) await guess(1, `2001:db8::${n.toString(16)}`);
    expect((await guess(1, '2001:db8::ffff'))[0]?.error?.reason).toBe('RATE_LIMITED');
    expect((await guess(1, '2001:db8:0:1::1'))[0]?.error?.reason).toBe('UNAUTHENTICATED');
  });
});

describe('A24: guessing passwords', () => {
  it('is limited for the user name within the address, and locks nobody out elsewhere', async () => {
    for (let n = 0; n < 30; n++) await at('basic', basic(`bob:guess-${n}`));
    expect((await at('basic', basic('bob:right'))).error?.reason).toBe('RATE_LIMITED');
    expect((await at('basic', basic('eve:other'))).principal?.subject).toBe('eve');
    expect((await at('basic', { ...basic('bob:right'), remoteAddress: '198.51.100.9' })).principal?.subject).toBe('bob');
  });

  it('forgets failures once the right password came', async () => {
    for (let n = 0; n < 29; n++) await at('basic', basic(`bob:guess-${n}`));
    await at('basic', basic('bob:right'));
    await at('basic', basic('bob:guess'));
    expect((await at('basic', basic('bob:right'))).principal?.subject).toBe('bob');
  });

  it('answers an unknown user like a wrong password', async () => {
    const [unknown, wrong] = [await at('basic', basic('nobody:x')), await at('basic', basic('bob:x'))];
    expect(unknown.error?.details).toEqual(wrong.error?.details);
    expect(unknown.error?.details.challenges).toEqual(['Basic realm="basic", charset="UTF-8"']);
  });

  it.each(['%%%', Buffer.from('no colon').toString('base64'), Buffer.from([0xff, 0xfe, 0x3a]).toString('base64'), ''])(
    'cannot read %s and says INVALID_REQUEST',
    async (value) => {
      expect((await at('basic', headers({ authorization: `Basic ${value}` }))).error?.reason).toBe('INVALID_REQUEST');
    },
  );
});
