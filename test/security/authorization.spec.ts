import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { OPERATIONS } from '@a2a/a2a-core';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { nowSeconds } from '../support/issuer.js';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { errorOf, outline, reasonOf, say, taskOf, textsOf } from '../conformance/requests.js';
import { ALL_OPERATIONS, AUDIENCE, type Headers, useProtectedHost } from './protected-host.js';
import { rawAnswer } from './raw-answer.js';
import { refusalOf } from './refusals.js';
import { requestFor } from './request-for.js';

const host = useProtectedHost({ HTTP_ADAPTER: 'fastify' });

describe.each(WIRES)('Permissions over %s', (wire: Wire) => {
  let billing: A2aClient;
  let conformance: A2aClient;

  beforeAll(async () => {
    billing = await host().client('billing', wire);
    conformance = await host().client('conformance', wire);
  });

  /** A caller nobody has seen before, with these scopes. */
  const caller = (scope: string, claims: object = {}): Promise<Headers> =>
    host().bearer({ aud: AUDIENCE.billing, sub: randomUUID(), scope, ...claims });
  const clerk = (more = ''): Promise<Headers> => caller(`${ALL_OPERATIONS} billing.refund ${more}`);
  const inAcme = (): JsonObject => ({ tenant: wire === 'GRPC' ? 'billing/acme' : 'acme' });

  describe('for operations', () => {
    it('are the scopes of the token, and the refusal names them and nothing else [B13] [SEC-04]', async () => {
      const reader = await caller('a2a.read');
      expect(await refusalOf(billing.send(say('balance'), { headers: reader }), wire)).toBe('A403');
      expect((await billing.listTasks({}, { headers: reader })).tasks).toEqual([]);
      const answers = await Promise.all([randomUUID(), 'no-task'].map((id) => rawAnswer(billing, 'CancelTask', { id }, reader)));
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]).toContain('insufficient_scope');
      expect(answers[0]).toContain('a2a.cancel');
    });

    it('are asked for each of the eleven [B13]', async () => {
      const nothing = await caller('');
      for (const { name } of OPERATIONS) {
        const answer = await rawAnswer(billing, name, requestFor(name), nothing);
        expect([name, answer]).toEqual([name, expect.stringContaining('PERMISSION_DENIED')]);
      }
    });

    it('tell nothing of a task, whether it is there or not [B13]', async () => {
      const owner = { sub: randomUUID() };
      const { id } = taskOf(await billing.send(say('balance'), { headers: await caller(ALL_OPERATIONS, owner) }));
      const weak = await caller('a2a.send', owner);
      const answers = await Promise.all([id, randomUUID()].map((one) => rawAnswer(billing, 'GetTask', { id: one }, weak)));
      expect(answers[0]).toBe(answers[1]);
    });
  });

  describe('for skills', () => {
    it('are asked before there is a task [B14]', async () => {
      const headers = await caller(ALL_OPERATIONS);
      expect(await refusalOf(billing.send(say('refund INV-1'), { headers }), wire)).toBe('A403');
      expect((await errorOf(billing.send(say('refund INV-1'), { headers }))).message).toContain('billing.refund');
      expect(await refusalOf(billing.stream(say('refund INV-1'), { headers }), wire)).toBe('A403');
      expect((await billing.listTasks({}, { headers })).totalSize).toBe(0);
    });

    it('also when the caller names the skill itself [B14]', async () => {
      const headers = await clerk();
      const named = { ...say('let me'), metadata: { skillId: 'large-refund' } };
      expect(await refusalOf(billing.send(named, { headers }), wire)).toBe('A403');
    });

    it('that a step asks for in the middle make the task wait, and waiting is no consent [B14] [B16]', async () => {
      const sub = randomUUID();
      const [weak, strong] = await Promise.all(
        ['', 'billing.approve'].map((more) => caller(`${ALL_OPERATIONS} billing.refund ${more}`, { sub, tenants: ['acme'] })),
      );
      const waiting = taskOf(await billing.send({ ...say('refund INV-8'), ...inAcme() }, { headers: weak }));
      expect(waiting.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
      expect(textsOf(waiting.status.message).join()).toContain('billing.approve');
      const goOn = { ...say('please', { taskId: waiting.id }), ...inAcme() };
      expect(taskOf(await billing.send(goOn, { headers: weak })).status.state).toBe('TASK_STATE_AUTH_REQUIRED');
      const again = { ...say('please', { taskId: waiting.id }), ...inAcme() };
      const paid = taskOf(await billing.send(again, { headers: strong }));
      expect(paid.status.state).toBe('TASK_STATE_COMPLETED');
      expect(paid.artifacts?.[0]?.parts[0]?.data).toEqual({ refunded: 'INV-8', cents: 250_000 });
    });

    it('are enough where the step is small', async () => {
      const { task } = await billing.send(say('refund INV-1'), { headers: await clerk() });
      expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    });
  });

  describe('for the extended card', () => {
    const cardFor = async (headers: Headers) =>
      (await billing.call('GetExtendedAgentCard', {}, { headers })).body as unknown as ExtendedCard;

    it('are a caller and its scope [B15] [XCARD-01] [XCARD-02]', async () => {
      expect(await refusalOf(billing.call('GetExtendedAgentCard', {}), wire)).toBe('A401');
      expect(await refusalOf(billing.call('GetExtendedAgentCard', {}, { headers: await caller('a2a.read') }), wire)).toBe('A403');
    });

    it('decide what it shows [B15] [XCARD-02]', async () => {
      const idsFor = async (headers: Headers) => (await cardFor(headers)).skills.map(({ id }) => id);
      expect(await idsFor(await caller('a2a.card'))).toEqual(['balance']);
      expect(await idsFor(await clerk())).toEqual(['balance', 'refund']);
      expect(await idsFor(await clerk('billing.approve'))).toEqual(['balance', 'refund', 'large-refund']);
      const inTenant = await billing.call('GetExtendedAgentCard', inAcme(), { headers: await caller('a2a.card', { tenants: ['acme'] }) });
      expect(inTenant.body.description).toContain('acme, with 2 invoices');
      expect((await cardFor(await caller('a2a.card'))).description).toContain('1 invoices');
      expect(((await host().card('billing'))['skills'] as JsonObject[]).map(({ id }) => id)).toEqual(['balance', 'refund']);
    });

    it('do not open a tenant that is not the caller’s', async () => {
      expect(await refusalOf(billing.call('GetExtendedAgentCard', inAcme(), { headers: await caller('a2a.card') }), wire)).toBe('A403');
    });

    it('are not even asked where there is none [XCARD-03]', async () => {
      const headers = await host().bearer();
      expect(await reasonOf(conformance.call('GetExtendedAgentCard', {}, { headers }))).toBe('UNSUPPORTED_OPERATION');
    });
  });

  it('end with the token: a stream does not outlive it [B18]', async () => {
    const sub = randomUUID();
    const renewed = await host().bearer({ sub });
    const { id } = taskOf(await conformance.send(say('/sleep ms=600000', {}, { returnImmediately: true }), { headers: renewed }));
    // Six of the ten seconds that clocks may differ are over.
    const brief = await host().bearer({ sub, iat: nowSeconds() - 60, exp: nowSeconds() - 6 });
    const stream = await conformance.subscribe({ id }, { headers: brief });
    expect(await reasonOf(stream.rest())).toBe('UNAUTHENTICATED');
    const again = await conformance.subscribe({ id }, { headers: renewed });
    await conformance.cancelTask({ id }, { headers: renewed });
    expect(outline(await again.rest()).at(-1)).toBe('status CANCELED');
  });

  it('cannot be had by what a message says of itself [B19]', async () => {
    const headers = await host().bearer({ sub: randomUUID() });
    expect(await reasonOf(conformance.send(say('/task', { role: 'ROLE_AGENT' }), { headers }))).toBe('INVALID_PARAMS');
    expect(await refusalOf(conformance.send(say('/task', { taskId: randomUUID() }), { headers }), wire)).toBe('NF');
    const boast = { owner: 'root', tenant: 'acme', scopes: ['*'], principal: { owner: 'root' } };
    const { task } = await conformance.send({ ...say('/whoami', { metadata: boast }), metadata: boast }, { headers });
    expect(task?.metadata).toBeUndefined();
    expect(task?.history?.[0]?.metadata).toEqual(boast);
    expect(task?.artifacts?.[0]?.parts[0]?.data).toMatchObject({ tenant: '', scopes: [] });
  });
});

describe('The extended card over HTTP', () => {
  it('is its caller’s alone, for every cache on the way [B15] [E22] [XCARD-04]', async () => {
    const headers = { 'a2a-version': '1.0', ...(await host().bearer({ aud: AUDIENCE.billing, scope: 'a2a.card' })) };
    const base = `${host().httpUrl}/agents/billing`;
    const body = '{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}';
    const answers = [
      await fetch(`${base}/extendedAgentCard`, { headers }),
      await fetch(`${base}/rpc`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect(answer.headers.get('vary')).toContain('Authorization');
    }
  });
});

interface ExtendedCard {
  readonly description: string;
  readonly skills: readonly { readonly id: string }[];
}
