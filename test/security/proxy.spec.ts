import { createHash } from 'node:crypto';
import { makeCertificate } from '../support/certificates.js';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { errorOf, reasonOf, say, taskOf } from '../conformance/requests.js';
import { AUDIENCE, type Headers, type SecurityJson, useProtectedHost } from './protected-host.js';
import { refusalOf } from './refusals.js';

/** A proxy on this machine ends TLS and says whose certificate it saw; every request names its tenant. `billing` finds keys by discovery. */
const host = useProtectedHost({}, behindProxy);

function behindProxy(file: SecurityJson, issuer: string): SecurityJson {
  return {
    ...file,
    schemes: {
      ...(file['schemes'] as object),
      login: { kind: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` },
      certificate: {
        kind: 'mutualTls',
        clients: { 'spiffe://example.org/billing': { tenants: ['acme'] }, 'worker.example.org': { subject: 'worker', tenants: ['acme'] } },
      },
    },
    clientCertificates: { trustedProxies: ['127.0.0.1'] },
    agents: {
      ...file.agents,
      billing: { requirements: [{ login: [] }], audience: AUDIENCE.billing },
      conformance: {
        requirements: [{ corporate: [] }, { certificate: [] }],
        audience: AUDIENCE.conformance,
        tenantRequired: true,
      },
    },
  };
}

describe.each(WIRES)('Behind a trusted proxy, over %s', (wire: Wire) => {
  const tenant = wire === 'GRPC' ? 'conformance/acme' : 'acme';
  const client = () => host().client('conformance', wire);
  const forwarded = (der: Uint8Array): Headers => ({ 'Client-Cert': `:${Buffer.from(der).toString('base64')}:` });

  it.each([
    ['a SPIFFE name', { uris: ['spiffe://example.org/billing'] }],
    ['a DNS name', { dnsNames: ['worker.example.org'] }],
  ])('a certificate lets its holder in by %s [A21]', async (_, names) => {
    const headers = forwarded(makeCertificate(names));
    const { id } = taskOf(await (await client()).send({ ...say('/task'), tenant }, { headers }));
    expect((await (await client()).getTask({ id, tenant }, { headers: forwarded(makeCertificate(names)) })).id).toBe(id);
    expect(await reasonOf((await client()).getTask({ id, tenant }, { headers: await host().bearer({ tenants: ['acme'] }) }))).toBe(
      'TASK_NOT_FOUND',
    );
  });

  it.each([
    ['of a stranger', () => makeCertificate({ uris: ['spiffe://example.org/mallory'] })],
    ['with a common name only', () => makeCertificate({ commonName: 'worker.example.org' })],
    ['that has expired', () => makeCertificate({ dnsNames: ['worker.example.org'], notAfter: new Date('2021-01-01T00:00:00Z') })],
    ['that is none', () => Buffer.from('no certificate')],
  ])('a certificate %s lets nobody in [A22]', async (_, make) => {
    expect(await refusalOf((await client()).listTasks({ tenant }, { headers: forwarded(make()) }), wire)).toBe('A401');
  });

  it('a token that is bound to a certificate comes in with it, and with no other [A20]', async () => {
    const [own, other] = [makeCertificate({ uris: ['spiffe://example.org/x'] }), makeCertificate({ uris: ['spiffe://example.org/x'] })];
    const thumbprint = createHash('sha256').update(own).digest('base64url');
    const bearer = await host().bearer({ tenants: ['acme'], cnf: { 'x5t#S256': thumbprint } });
    const list = async (headers: Headers) => (await client()).listTasks({ tenant }, { headers });
    expect((await list({ ...bearer, ...forwarded(own) })).tasks).toEqual([]);
    expect(await refusalOf(list({ ...bearer, ...forwarded(other) }), wire)).toBe('A401');
    expect(await refusalOf(list(bearer), wire)).toBe('A401');
  });

  it('a request without a tenant is refused where the agent needs one [B12] [TEN-05]', async () => {
    const headers = await host().bearer({ tenants: ['acme'] });
    const nowhere = wire === 'GRPC' ? 'conformance' : '';
    const error = await errorOf((await client()).send({ ...say('/task'), tenant: nowhere }, { headers }));
    expect([error.reason, error.fields]).toEqual(['INVALID_PARAMS', ['tenant']]);
  });

  it('an agent with OpenID Connect finds the keys of its issuer by discovery [SEC-12]', async () => {
    const billing = await host().client('billing', wire);
    const headers = await host().bearer({ aud: AUDIENCE.billing });
    expect(taskOf(await billing.send(say('balance'), { headers })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await refusalOf(billing.listTasks({}, { headers: await host().bearer() }), wire)).toBe('A401');
    expect(host().issuer.provider.asked.get('/.well-known/openid-configuration')).toBe(1);
  });
});
