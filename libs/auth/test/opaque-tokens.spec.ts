import { AUDIENCE, useAttackedHost } from './support/attacked-host.js';
import { bearer } from './support/auth-host.js';

const { host, provider, at } = useAttackedHost();

describe('A19: opaque tokens', () => {
  const active = (more: Record<string, unknown> = {}) => ({
    active: true,
    sub: 'alice',
    aud: AUDIENCE,
    client_id: 'cli',
    scope: 'read',
    ...more,
  });

  it('are looked up at their issuer, once a minute', async () => {
    provider().opaqueTokens.set('good', active());
    const answers = await Promise.all([at('opaque', bearer('good')), at('opaque', bearer('good'))]);
    expect(answers.map(({ principal }) => principal?.subject)).toEqual(['alice', 'alice']);
    host().clock.advance(59_000);
    await at('opaque', bearer('good'));
    expect(provider().asked.get('/introspect')).toBe(1);
  });

  it('are refused a minute after they were revoked, at the latest', async () => {
    provider().opaqueTokens.set('good', active());
    await at('opaque', bearer('good'));
    provider().opaqueTokens.delete('good');
    host().clock.advance(60_000);
    expect((await at('opaque', bearer('good'))).error?.reason).toBe('UNAUTHENTICATED');
  });

  it('are not believed beyond their own exp', async () => {
    provider().opaqueTokens.set('short', active({ exp: host().clock.seconds + 10 }));
    expect((await at('opaque', bearer('short'))).principal?.expiresAtMs).toBe((host().clock.seconds + 10) * 1_000);
    provider().opaqueTokens.delete('short');
    host().clock.advance(10_000);
    expect((await at('opaque', bearer('short'))).error?.reason).toBe('UNAUTHENTICATED');
  });

  it('that are wrong are asked about again after five seconds only', async () => {
    await at('opaque', bearer('bad'));
    await at('opaque', bearer('bad'));
    expect(provider().asked.get('/introspect')).toBe(1);
    host().clock.advance(5_000);
    await at('opaque', bearer('bad'));
    expect(provider().asked.get('/introspect')).toBe(2);
  });

  it.each(['error', 'garbage', 'redirect', 'huge'] as const)('are UNAVAILABLE, never wrong, while the issuer is down: %s', async (mood) => {
    provider().mood = mood;
    expect((await at('opaque', bearer('good'))).error?.reason).toBe('UNAVAILABLE');
  });

  it('do not hammer an issuer that is down', async () => {
    provider().mood = 'error';
    await at('opaque', bearer('one'));
    await Promise.all(Array.from({ length: 20 }, (_, n) => at('opaque', bearer(`more-${n}`))));
    expect(provider().asked.get('/introspect')).toBe(1);
    provider().mood = 'well';
    provider().opaqueTokens.set('good', active());
    host().clock.advance(1_000);
    expect((await at('opaque', bearer('good'))).principal?.subject).toBe('alice');
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another audience', active({ aud: 'urn:agent:b' })],
    ['for no audience', active({ aud: undefined })],
    ['of another issuer', active({ iss: 'https://other.example' })],
    ['not good yet', active({ nbf: 9_999_999_999 })],
    ['active by a word that is not true', active({ active: 'true' })],
    ['for nobody', active({ sub: undefined, client_id: undefined })],
  ])('are refused: %s', async (_name, answer) => {
    provider().opaqueTokens.set('odd', answer);
    expect((await at('opaque', bearer('odd'))).error?.reason).toBe('UNAUTHENTICATED');
  });

  it('without a subject belong to the client, whom no subject of that name can imitate', async () => {
    provider().opaqueTokens.set('client', active({ sub: undefined, client_id: 'robot' }));
    provider().opaqueTokens.set('user', active({ sub: 'robot' }));
    const [client, user] = [await at('opaque', bearer('client')), await at('opaque', bearer('user'))];
    expect(client.principal?.subject).toBe('robot');
    expect(user.principal?.subject).toBe('robot');
    expect(client.principal?.owner).not.toBe(user.principal?.owner);
  });
});
