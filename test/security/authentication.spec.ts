import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '@a2a/a2a-core';
import { makeCertificate } from '../support/certificates.js';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { reasonOf, say, taskOf } from '../conformance/requests.js';
import { FORGED_TOKENS } from './forged-tokens.js';
import { ALL_OPERATIONS, API_KEYS, AUDIENCE, type Headers, PASSWORD, useProtectedHost } from './protected-host.js';
import { rawAnswer } from './raw-answer.js';
import { refusalOf } from './refusals.js';
import { requestFor } from './request-for.js';

const host = useProtectedHost();

function basic(username: string, password: string): Headers {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

describe.each(WIRES)('Callers over %s', (wire: Wire) => {
  let conformance: A2aClient;
  let billing: A2aClient;
  let expenses: A2aClient;

  beforeAll(async () => {
    conformance = await host().client('conformance', wire);
    billing = await host().client('billing', wire);
    expenses = await host().client('expense-approval', wire);
  });

  const list = (client: A2aClient, headers: Headers) => client.listTasks({}, { headers });
  const bill = (claims: object = {}) => host().bearer({ aud: AUDIENCE.billing, scope: ALL_OPERATIONS, ...claims });

  describe('without credentials', () => {
    it('get a challenge for each alternative, and the same answer for every operation [A1]', async () => {
      const answers = await Promise.all(OPERATIONS.map(({ name }) => rawAnswer(conformance, name, requestFor(name))));
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('Bearer realm=');
      expect(answers[0]).toContain('ApiKey realm=');
      expect(await refusalOf(list(conformance, {}), wire)).toBe('A401');
    });

    it('use open agents of the same host, and own there what they made and nothing else [A26]', async () => {
      const analyst = await host().client('incident-analyst', wire);
      const [mine, other] = [randomUUID(), randomUUID()].map((session) => ({ 'A2A-Anonymous-Session': session }));
      const { id } = taskOf(await analyst.send(say('10:00 ERROR payments: refused'), { headers: mine }));
      expect((await analyst.getTask({ id }, { headers: mine })).id).toBe(id);
      expect((await analyst.listTasks({}, { headers: mine })).totalSize).toBe(1);
      expect(await reasonOf(analyst.getTask({ id }, { headers: other }))).toBe('TASK_NOT_FOUND');
      expect(await reasonOf(analyst.getTask({ id }))).toBe('TASK_NOT_FOUND');
      for (const headers of [other, {}]) {
        expect((await analyst.listTasks({}, { headers })).tasks.map((task) => task.id)).not.toContain(id);
      }
    });
  });

  describe('with a token', () => {
    it.each(FORGED_TOKENS)('are refused with one $name', async ({ name, make }) => {
      const token = await make(host().issuer, { aud: AUDIENCE.conformance });
      const tooMuchForMetadata = wire === 'GRPC' && name.includes('[A17]');
      const refusal = await refusalOf(list(conformance, { authorization: `Bearer ${token}` }), wire);
      expect(refusal).toBe(tooMuchForMetadata ? 'RL' : 'A401');
      expect(host().issuer.provider.asked.get('/planted')).toBeUndefined();
    });

    it('all get the same words, whatever is wrong with it [A4] [E16]', async () => {
      const answers = await Promise.all(
        FORGED_TOKENS.filter(({ name }) => !name.includes('[A17]')).map(async ({ make }) => {
          const token = await make(host().issuer, { aud: AUDIENCE.conformance });
          return rawAnswer(conformance, 'ListTasks', {}, { authorization: `Bearer ${token}` });
        }),
      );
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('invalid_token');
    });

    it('come in with one that is good, whose clock may differ a little [A5]', async () => {
      const now = Math.floor(Date.now() / 1_000);
      for (const claims of [{}, { exp: now - 5 }, { iat: now + 5, exp: now + 60 }, { nbf: now + 5 }]) {
        expect((await list(conformance, await host().bearer(claims))).tasks).toEqual([]);
      }
      const token = await host().issuer.token({ aud: AUDIENCE.conformance });
      expect((await list(conformance, { authorization: `bearer ${token}` })).tasks).toEqual([]);
    });

    it('do not disturb others by making up keys [A12]', async () => {
      const before = host().issuer.provider.fetches;
      const flood = Array.from({ length: 100 }, async () =>
        refusalOf(list(conformance, await host().bearer({}, { kid: randomUUID() })), wire),
      );
      const good = Array.from({ length: 10 }, async () => list(conformance, await host().bearer()));
      expect(new Set(await Promise.all(flood))).toEqual(new Set(['A401']));
      expect(await Promise.all(good)).toHaveLength(10);
      expect(host().issuer.provider.fetches - before).toBeLessThanOrEqual(1);
    });

    it('are not told that it is wrong when nobody can say so [A13]', async () => {
      const token = await host().issuer.token({ aud: AUDIENCE.expenses });
      expect(await refusalOf(list(expenses, { authorization: `Bearer ${token}` }), wire)).toBe('UN');
    });

    it('that means something only to its issuer come in while the issuer says so [A19]', async () => {
      const { provider } = host().issuer;
      const [good, revoked] = [randomUUID(), randomUUID()];
      provider.opaqueTokens.set(good, { active: true, sub: `carol-${wire}`, aud: AUDIENCE.billing, scope: ALL_OPERATIONS });
      expect((await list(billing, { authorization: `Bearer ${good}` })).tasks).toEqual([]);
      expect(await refusalOf(list(billing, { authorization: `Bearer ${revoked}` }), wire)).toBe('A401');
      provider.opaqueTokens.set(revoked, { active: true, sub: 'carol', aud: AUDIENCE.conformance });
      expect(await refusalOf(list(billing, { authorization: `Bearer ${revoked}` }), wire)).toBe('A401');
      expect(await refusalOf(list(expenses, { authorization: `Bearer ${randomUUID()}` }), wire)).toBe('UN');
    });

    it('for one agent come to no other, though both trust the issuer [A6]', async () => {
      expect(await refusalOf(list(billing, await host().bearer({ scope: ALL_OPERATIONS })), wire)).toBe('A401');
      expect((await list(billing, await bill())).tasks).toEqual([]);
    });
  });

  describe('with other credentials', () => {
    it('come in with a key, a password, a parameter or a cookie', async () => {
      expect((await list(conformance, { 'X-API-Key': API_KEYS.other })).tasks).toEqual([]);
      expect((await list(expenses, basic('ada', PASSWORD))).tasks).toEqual([]);
      expect((await list(expenses, { cookie: `session=${API_KEYS.robot}` })).tasks).toEqual([]);
    });

    it('are refused with wrong ones', async () => {
      expect(await refusalOf(list(conformance, { 'X-API-Key': 'guess' }), wire)).toBe('A401');
      expect(await refusalOf(list(expenses, { cookie: 'session=guess' }), wire)).toBe('A401');
      expect(await refusalOf(list(expenses, { cookie: '__proto__=x; constructor=y' }), wire)).toBe('A401');
    });

    it('are refused with ones that cannot be read', async () => {
      const unreadable = wire === 'JSONRPC' ? 'UNREADABLE' : 'BAD';
      expect(await refusalOf(list(expenses, { authorization: 'Basic %%%' }), wire)).toBe(unreadable);
      expect(await refusalOf(list(conformance, { authorization: 'Bearer a b' }), wire)).toBe(unreadable);
    });

    it('do not become somebody by a header that only a proxy may set [A21]', async () => {
      const der = makeCertificate({ uris: ['spiffe://example.org/mallory'] });
      const headers = {
        'Client-Cert': `:${Buffer.from(der).toString('base64')}:`,
        'X-SSL-Client-Cert': Buffer.from(der).toString('base64'),
      };
      expect(await refusalOf(list(expenses, headers), wire)).toBe('A401');
    });

    it('sent by a page of another origin are refused, as browsers add cookies to whatever a page sends [A25]', async () => {
      const cookie = `session=${API_KEYS.robot}`;
      expect(await refusalOf(list(expenses, { cookie, origin: 'https://evil.example' }), wire)).toBe('A403');
      expect((await list(expenses, basic('ada', PASSWORD))).tasks).toEqual([]);
    });
  });
});

describe('Callers over gRPC', () => {
  it('without credentials are told apart by their connection, but for one that a proxy shares among them [A26]', async () => {
    const analyst = await host().client('incident-analyst', 'GRPC');
    const { id } = taskOf(await analyst.send(say('10:00 ERROR payments: refused')));
    expect((await analyst.getTask({ id })).id).toBe(id);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect(await reasonOf(analyst.getTask({ id }, { headers }))).toBe('TASK_NOT_FOUND');
    expect((await analyst.listTasks({}, { headers })).totalSize).toBe(0);
  });
});

describe('Keys of an issuer', () => {
  it('come and go, and die at once when the operator says so [A14] [A15]', async () => {
    const { issuer, process } = host();
    const client = await host().client('conformance', 'HTTP+JSON');
    const [old] = issuer.provider.keys;
    if (!old) throw new Error('The issuer has no key');
    const withOld = await host().bearer();
    const fresh = await issuer.provider.addKey('ES256', 'fresh');
    issuer.provider.removeKey(old.kid);
    expect((await client.listTasks({}, { headers: withOld })).tasks).toEqual([]);
    globalThis.process.kill(process.pid, 'SIGHUP');
    await process.logged('Not all identity providers gave their keys');
    expect(await reasonOf(client.listTasks({}, { headers: withOld }))).toBe('UNAUTHENTICATED');
    const token = await issuer.token({ aud: AUDIENCE.conformance }, {}, fresh);
    expect((await client.listTasks({}, { headers: { authorization: `Bearer ${token}` } })).tasks).toEqual([]);
  });
});
