import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';
import {
  type AgentOptions,
  ANONYMOUS,
  Audit,
  type CallSeed,
  type IdentifiedCall,
  LoggedAuditTrail,
  type OperationName,
  OPERATIONS,
} from '@a2a/a2a-core';
import { FakeClock } from '../../test/support/fake-clock.js';
import { hostedAgent, ListedAgents } from '../../test/support/hosted-agents.js';
import { RecordingLogger } from '../../test/support/recording-logger.js';
import { CountedRateLimits } from './counted-rate-limits.js';
import { OPERATION_COSTS } from './operation-costs.js';
import { type RateLimitsOptions } from './rate-limits.options.js';
import { TokenBuckets } from './token-buckets.js';

const MINUTE = { points: 10, seconds: 60 };
const ADDRESS = '203.0.113.7';

function limitsWith(options: RateLimitsOptions, rates?: AgentOptions['rates']) {
  const [echo, other] = [hostedAgent({ id: 'echo', rates }), hostedAgent({ id: 'other' })];
  const logger = new RecordingLogger();
  const clock = new FakeClock();
  const audit = new Audit(new LoggedAuditTrail(logger), clock, logger);
  const limits = new CountedRateLimits(options, new ListedAgents([echo, other]), audit, logger, clock);
  const seed = (remoteAddress = ADDRESS): CallSeed => ({
    binding: 'HTTP+JSON',
    headers: new Map(),
    remoteAddress,
    signal: new AbortController().signal,
  });
  return {
    limits,
    logger,
    clock,
    knock: (remoteAddress?: string) => limits.beforeCredentials(seed(remoteAddress)),
    look: (owner: string, facts: Partial<IdentifiedCall> = {}) => limits.beforeBody({ ...seed(), ...facts, principal: user(owner) }),
    work: (owner: string, operation: OperationName = 'GetTask', facts: { tenant?: string; agent?: typeof echo } = {}) =>
      limits.beforeWork({ agent: echo, tenant: '', ...facts, principal: user(owner), operation, remoteAddress: ADDRESS }),
    echo,
    other,
  };
}

const user = (owner: string) => (owner ? { ...ANONYMOUS, owner, authenticated: true } : ANONYMOUS);
const refused = (limit: string, retryAfterSeconds: number) => ({
  reason: 'RATE_LIMITED',
  message: `Rate limit exceeded for this ${limit}`,
  details: { metadata: { limit }, retryAfterSeconds },
});

async function times(count: number, call: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done++) await call();
}

describe('the rate of an address', () => {
  it('is refused beyond it, says how long, and comes back steadily [ERR-06, SECC-40]', async () => {
    const { knock, clock } = limitsWith({ perAddress: MINUTE });
    await times(10, knock);
    clock.advance(4_500);
    await expect(knock()).rejects.toMatchObject(refused('address', 2));
    clock.advance(1_500);
    await knock();
    await expect(knock()).rejects.toMatchObject(refused('address', 6));
    clock.advance(600_000);
    await times(10, knock);
    await expect(knock()).rejects.toMatchObject(refused('address', 6));
  });

  it('gives nobody twice as much around the end of a minute [D20]', async () => {
    const { knock, clock } = limitsWith({ perAddress: MINUTE });
    clock.advance(59_000);
    await times(10, knock);
    clock.advance(2_000);
    await expect(knock()).rejects.toMatchObject(refused('address', 4));
  });

  it('is one for a whole /64 and another for every other address [D19]', async () => {
    const { knock } = limitsWith({ perAddress: { points: 2, seconds: 60 } });
    await knock('2001:db8:1:2::1');
    await knock('2001:db8:1:2::2');
    await expect(knock('2001:db8:1:2::3')).rejects.toMatchObject(refused('address', 30));
    await knock('2001:db8:1:3::3');
  });
});

describe('the rate of a caller', () => {
  it('counts a message as ten reads', async () => {
    const { work } = limitsWith({ perCaller: { points: 20, seconds: 60 } });
    await work('ada', 'SendMessage');
    await times(10, () => work('ada'));
    await expect(work('ada')).rejects.toMatchObject(refused('caller', 3));
    await expect(work('ada', 'SendMessage')).rejects.toMatchObject(refused('caller', 30));
    await work('eve', 'SendMessage');
  });

  it('is looked at before the body and not spent there', async () => {
    const { look, work } = limitsWith({ perCaller: { points: 1, seconds: 60 } });
    await times(5, () => look('ada'));
    await work('ada');
    await expect(look('ada', { mount: 'echo' })).rejects.toMatchObject(refused('caller', 60));
    await look('ada', { mount: 'other' });
    await look('eve');
    await look('ada', { binding: 'GRPC' });
  });

  it('goes by address without credentials', async () => {
    const { work } = limitsWith({ perCaller: { points: 1, seconds: 60 } });
    await work('');
    await expect(work('')).rejects.toMatchObject(refused('caller', 60));
    await work('ada');
  });

  it('may be another for one agent, which touches no other agent', async () => {
    const { work, other } = limitsWith({ perCaller: { points: 1, seconds: 60 } }, { perCaller: { points: 3, seconds: 60 } });
    await times(3, () => work('ada'));
    await expect(work('ada')).rejects.toMatchObject(refused('caller', 20));
    await work('ada', 'GetTask', { agent: other });
    await expect(work('ada', 'GetTask', { agent: other })).rejects.toMatchObject(refused('caller', 60));
  });
});

describe('the rates that callers share', () => {
  it('hold for a tenant, over all its callers and agents', async () => {
    const { work, other } = limitsWith({ perTenant: { points: 2, seconds: 60 } });
    await work('ada', 'GetTask', { tenant: 'acme' });
    await work('eve', 'GetTask', { tenant: 'acme', agent: other });
    await expect(work('joe', 'GetTask', { tenant: 'acme' })).rejects.toMatchObject(refused('tenant', 30));
    await work('joe', 'GetTask', { tenant: 'umbrella' });
    await work('joe');
  });

  it('hold for an agent, over all its callers [D20]', async () => {
    const { work, other } = limitsWith({ perAgent: { points: 2, seconds: 60 } });
    await work('ada');
    await work('eve');
    await expect(work('joe')).rejects.toMatchObject(refused('agent', 30));
    await work('joe', 'GetTask', { agent: other });
  });

  it('are not spent by a call that its caller may not make', async () => {
    const { work } = limitsWith({ perCaller: { points: 1, seconds: 60 }, perAgent: { points: 2, seconds: 60 } });
    await work('ada');
    for (let attempt = 0; attempt < 5; attempt++) await expect(work('ada')).rejects.toMatchObject(refused('caller', 60));
    await work('eve');
  });
});

describe('a host', () => {
  it('switches rates off, for itself or for one agent', async () => {
    const off = limitsWith({ perAddress: 'unlimited', perCaller: 'unlimited', perTenant: 'unlimited', perAgent: 'unlimited' });
    const call = async (): Promise<void> => {
      await off.knock();
      await off.work('ada', 'SendMessage', { tenant: 'acme' });
    };
    await expect(times(200, call)).resolves.toBeUndefined();
    const free = limitsWith({ perCaller: MINUTE, perAgent: MINUTE }, { perCaller: 'unlimited', perAgent: 'unlimited' });
    await expect(times(200, () => free.work('ada', 'SendMessage'))).resolves.toBeUndefined();
  });

  it('says what an operation costs', async () => {
    const { work } = limitsWith({ perCaller: MINUTE, costs: { GetTask: 6 } });
    await work('ada');
    await expect(work('ada')).rejects.toMatchObject(refused('caller', 12));
  });

  it('logs the first refusal of a name and none of the flood behind it, for as long as the rate counts', async () => {
    const { knock, logger, clock } = limitsWith({ perAddress: MINUTE });
    const flood = async (): Promise<void> => {
      await times(50, () => knock().catch(() => undefined));
      clock.advance(1_000);
    };
    await times(60, flood);
    expect(logger.lines).toEqual([expect.stringContaining('"detail":"rate of this address"')]);
    await times(2, flood);
    expect(logger.lines).toHaveLength(2);
  });

  it('counts in a store of its choice, one for each rate, and answers when that is away', async () => {
    const made = new Map<string, RateLimiterAbstract>();
    const makeStore: RateLimitsOptions['makeStore'] = (keyPrefix, { points, seconds }) => {
      const store = new RateLimiterMemory({ keyPrefix, points, duration: seconds });
      made.set(keyPrefix, store);
      return store;
    };
    const { work, look, logger } = limitsWith({ perCaller: { points: 1, seconds: 60 }, makeStore });
    await work('ada');
    expect([...made.keys()]).toEqual(['caller of echo', 'agent of echo']);
    expect((await made.get('caller of echo')?.get('owner ada'))?.consumedPoints).toBe(1);
    const away = () => Promise.reject(new Error('connection lost'));
    for (const store of made.values()) Object.assign(store, { consume: away, get: away });
    await work('ada');
    await look('ada', { mount: 'echo' });
    expect(logger.lines.length).toBe(3);
  });
});

describe('OPERATION_COSTS', () => {
  it('names every operation, a message at ten times a read', () => {
    expect(Object.keys(OPERATION_COSTS).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
    expect([OPERATION_COSTS.SendMessage, OPERATION_COSTS.SendStreamingMessage, OPERATION_COSTS.GetTask]).toEqual([10, 10, 1]);
  });
});

describe('TokenBuckets', () => {
  const clock = new FakeClock();

  it('keep a bounded number of names and forget who called longest ago [D19]', async () => {
    const buckets = new TokenBuckets({ points: 1, seconds: 600 }, 1_000, clock);
    await buckets.spend('regular', 1);
    for (let index = 0; index < 100_000; index++) {
      await buckets.spend(`stranger ${index}`, 1);
      if (index % 500 === 0) await buckets.spend('regular', 1);
    }
    expect(buckets.size).toBe(1_000);
    expect((await buckets.spend('regular', 1)).waitSeconds).toBe(600);
    expect((await buckets.spend('stranger 0', 1)).waitSeconds).toBe(0);
  });

  it('let through what costs more than a whole one, when it is full, and have it paid back first', async () => {
    const buckets = new TokenBuckets({ points: 5, seconds: 50 }, 10, clock);
    expect((await buckets.spend('ada', 10)).waitSeconds).toBe(0);
    expect([await buckets.waitOf('ada'), (await buckets.spend('ada', 10)).waitSeconds]).toEqual([60, 100]);
    clock.advance(60_000);
    expect((await buckets.spend('ada', 1)).waitSeconds).toBe(0);
    clock.advance(49_000);
    expect((await buckets.spend('ada', 10)).waitSeconds).toBe(1);
    clock.advance(1_000);
    expect((await buckets.spend('ada', 10)).waitSeconds).toBe(0);
  });

  it('take nothing away when the clock is set back', async () => {
    const buckets = new TokenBuckets({ points: 2, seconds: 60 }, 10, clock);
    await buckets.spend('ada', 1);
    clock.advance(-3_600_000);
    expect((await buckets.spend('ada', 1)).waitSeconds).toBe(0);
    expect((await buckets.spend('ada', 1)).waitSeconds).toBe(30);
  });
});
