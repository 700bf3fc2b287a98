import { clientCertHeader, makeCertificate } from '../../../test/support/certificates.js';
import { PROXY, useAttackedHost } from './support/attacked-host.js';
import { headers } from './support/auth-host.js';

const SERVICE = makeCertificate({ uris: ['spiffe://example.org/billing'], dnsNames: ['billing.example.org'], commonName: 'billing' });

const { at } = useAttackedHost();

describe('A21: the certificate in a header', () => {
  const forwarded = headers({ 'client-cert': clientCertHeader(SERVICE) });

  it('counts from a trusted proxy', async () => {
    const { principal } = await at('cert', { ...forwarded, connectionAddress: PROXY });
    expect(principal?.subject).toBe('spiffe://example.org/billing');
  });

  it('counts from a trusted proxy that speaks IPv6, or IPv4 inside it', async () => {
    expect((await at('cert', { ...forwarded, connectionAddress: '::1' })).principal).toBeDefined();
    expect((await at('cert', { ...forwarded, connectionAddress: `::ffff:${PROXY}` })).principal).toBeDefined();
  });

  it.each(['203.0.113.7', '11.0.0.1', '::2', 'not an address', undefined])(
    'is as if it were not there from %s',
    async (connectionAddress) => {
      const { error } = await at('cert', { ...forwarded, connectionAddress });
      expect(error).toMatchObject({ reason: 'UNAUTHENTICATED', message: 'Authentication required' });
    },
  );

  it('cannot be vouched for by an address that another header claims', async () => {
    const seed = { ...forwarded, remoteAddress: PROXY, connectionAddress: '203.0.113.7' };
    expect((await at('cert', seed)).error?.reason).toBe('UNAUTHENTICATED');
  });

  it.each([':not base64:', 'MIIB', ':AAAA:', ''])('proves nothing when it cannot be read: %s', async (value) => {
    const seed = { ...headers({ 'client-cert': value }), connectionAddress: PROXY };
    expect((await at('cert', seed)).error?.reason).toBe('UNAUTHENTICATED');
  });
});

describe('A22: certificates that prove nothing', () => {
  it.each<[string, Buffer, boolean]>([
    ['from an unknown authority', SERVICE, false],
    ['expired', makeCertificate({ uris: ['spiffe://x'], notAfter: new Date('2026-01-01T00:00:00Z') }), true],
    ['not good yet', makeCertificate({ uris: ['spiffe://x'], notBefore: new Date('2030-01-01T00:00:00Z') }), true],
    ['with a common name only', makeCertificate({ commonName: 'admin' }), true],
  ])('%s', async (_name, der, verified) => {
    expect((await at('cert', { peerCertificate: { der, verified } })).error?.reason).toBe('UNAUTHENTICATED');
  });

  it('uses a DNS name where there is no URI name', async () => {
    const der = makeCertificate({ dnsNames: ['billing.example.org'] });
    expect((await at('cert', { peerCertificate: { der, verified: true } })).principal?.subject).toBe('billing.example.org');
  });

  it('does not split a name at a comma that the certificate smuggles in', async () => {
    const der = makeCertificate({ dnsNames: ['evil.example, URI:spiffe://example.org/billing'] });
    expect((await at('cert', { peerCertificate: { der, verified: true } })).principal?.subject).not.toBe('spiffe://example.org/billing');
  });
});
