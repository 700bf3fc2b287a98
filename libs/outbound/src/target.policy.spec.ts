import { TargetPolicy } from './target.policy.js';

/** Each of these must never be called from a production host; the name says why (security table C1–C11). */
const BAD: readonly (readonly [string, string])[] = [
  ['C1 loopback', 'https://127.0.0.1/'],
  ['C1 loopback, other', 'https://127.8.9.1/'],
  ['C1 private 10', 'https://10.0.0.1/hook'],
  ['C1 private 172.16', 'https://172.16.0.1/'],
  ['C1 private 172.31', 'https://172.31.255.255/'],
  ['C1 private 192.168', 'https://192.168.1.1/'],
  ['C1 link-local', 'https://169.254.0.1/'],
  ['C1 carrier-grade NAT', 'https://100.64.0.1/'],
  ['C1 this network', 'https://0.0.0.0/'],
  ['C1 this network, other', 'https://0.1.2.3/'],
  ['C1 multicast', 'https://224.0.0.1/'],
  ['C1 reserved', 'https://240.0.0.1/'],
  ['C1 broadcast', 'https://255.255.255.255/'],
  ['C1 IETF protocols', 'https://192.0.0.1/'],
  ['C1 documentation', 'https://192.0.2.1/'],
  ['C1 documentation 2', 'https://198.51.100.7/'],
  ['C1 documentation 3', 'https://203.0.113.9/'],
  ['C1 benchmarking', 'https://198.18.0.1/'],
  ['C1 6to4 relay', 'https://192.88.99.1/'],
  ['C2 decimal', 'https://2130706433/'],
  ['C2 octal', 'https://0177.0.0.1/'],
  ['C2 hexadecimal', 'https://0x7f.1/'],
  ['C2 hexadecimal, whole', 'https://0x7f000001/'],
  ['C2 short', 'https://127.1/'],
  ['C2 mixed', 'https://0x7f.0.0.01/'],
  ['C2 full-width digits', 'https://①②⑦.⓪.⓪.①/'],
  ['C2 decimal private', 'https://3232235777/'],
  ['C2 escaped digits', 'https://%31%32%37.0.0.1/'],
  ['C3 loopback', 'https://[::1]/'],
  ['C3 unspecified', 'https://[::]/'],
  ['C3 mapped', 'https://[::ffff:127.0.0.1]/'],
  ['C3 mapped, hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['C3 compatible', 'https://[::127.0.0.1]/'],
  ['C3 translated', 'https://[::ffff:0:127.0.0.1]/'],
  ['C3 NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['C3 local NAT64', 'https://[64:ff9b:1::7f00:1]/'],
  ['C3 6to4', 'https://[2002:7f00:1::]/'],
  ['C3 Teredo', 'https://[2001:0:1::1]/'],
  ['C3 ORCHID', 'https://[2001:20::1]/'],
  ['C3 documentation', 'https://[2001:db8::1]/'],
  ['C3 documentation, new', 'https://[3fff::1]/'],
  ['C3 segment routing', 'https://[5f00::1]/'],
  ['C3 discard', 'https://[100::1]/'],
  ['C3 site-local', 'https://[fec0::1]/'],
  ['C3 unique local', 'https://[fd00::1]/'],
  ['C3 link-local', 'https://[fe80::1]/'],
  ['C3 multicast', 'https://[ff02::1]/'],
  ['C4 metadata service', 'https://169.254.169.254/latest/meta-data/'],
  ['C4 task metadata', 'https://169.254.170.2/'],
  ['C4 metadata over IPv6', 'https://[fd00:ec2::254]/'],
  ['C4 metadata in NAT space', 'https://100.100.100.200/'],
  ['C4 metadata in protocol space', 'https://192.0.0.192/'],
  ['C4 platform service, publicly routable', 'https://168.63.129.16/'],
  ['C4 metadata by name', 'https://metadata.google.internal/'],
  ['C8 http', 'http://hooks.example.com/'],
  ['C8 file', 'file:///etc/passwd'],
  ['C8 gopher', 'gopher://hooks.example.com/'],
  ['C8 ftp', 'ftp://hooks.example.com/'],
  ['C8 data', 'data:text/plain,x'],
  ['C8 javascript', 'javascript:alert(1)'],
  ['C9 credentials', 'https://user:secret@hooks.example.com/'],
  ['C9 user', 'https://user@hooks.example.com/'],
  ['C9 backslash', 'https://hooks.example.com\\@127.0.0.1/'],
  ['C9 control character', 'https://hooks.example.com/\r\nx: y'],
  ['C9 tab in host', 'https://127.0.\t0.1/'],
  ['C9 fragment', 'https://hooks.example.com/#x'],
  ['C9 too long', `https://hooks.example.com/${'a'.repeat(2_048)}`],
  ['C9 not absolute', '/hook'],
  ['C9 empty', ''],
  ['C10 ssh', 'https://hooks.example.com:22/'],
  ['C10 smtp', 'https://hooks.example.com:25/'],
  ['C10 redis', 'https://hooks.example.com:6379/'],
  ['C11 localhost', 'https://localhost/'],
  ['C11 below localhost', 'https://x.localhost/'],
  ['C11 one label', 'https://intranet/'],
  ['C11 mDNS', 'https://printer.local/'],
  ['C11 cluster', 'https://api.default.svc/'],
  ['C11 cluster, whole', 'https://api.default.svc.cluster.local/'],
  ['C11 trailing dot', 'https://hooks.example.com./'],
];

const GOOD: readonly string[] = [
  'https://hooks.example.com/a2a?x=1',
  'https://hooks.example.com:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://xn--bcher-kva.example.com/',
];

describe('the URL corpus', () => {
  const policy = new TargetPolicy();

  it.each(BAD)('refuses %s [SECC-21]', (_why, url) => {
    expect(policy.refusal(url)).toEqual(expect.any(String));
  });

  it.each(GOOD)('allows %s', (url) => {
    expect(policy.refusal(url)).toBeUndefined();
  });

  it('says the class of the problem only, never an address', () => {
    expect(policy.refusal('https://10.1.2.3/')).toBe('target address not allowed');
  });
});

describe('a loosened policy', () => {
  it('opens the named networks, http and nothing else, and says that it is loosened', () => {
    const policy = new TargetPolicy({ allowHttp: true, ports: '*', openNetworks: ['127.0.0.0/8'] });
    expect(policy.isLoosened).toBe(true);
    expect(policy.refusal('http://127.0.0.1:9999/')).toBeUndefined();
    expect(policy.refusal('http://localhost:9999/')).toBeUndefined();
    expect(policy.refusal('http://10.0.0.1/')).toBe('target address not allowed');
    expect(policy.refusal('http://[::1]/')).toBe('target address not allowed');
    expect(new TargetPolicy().isLoosened).toBe(false);
  });

  it('opens an internal name, and leaves what it resolves to for the moment of connecting', () => {
    const policy = new TargetPolicy({ openNames: ['keycloak'], openNetworks: ['10.0.0.0/8'] });
    expect(policy.isLoosened).toBe(true);
    expect(policy.refusal('https://keycloak/realms/a')).toBeUndefined();
    expect(policy.refusal('https://other/')).toBe('target name not allowed');
  });
});
