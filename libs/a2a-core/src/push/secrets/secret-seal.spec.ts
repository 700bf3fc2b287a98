import { hostKeys } from './host-keys.js';
import { type PushRef } from '../configs/push-config.repository.js';
import { SecretSeal } from './secret-seal.js';

const NEW = 'the secret that this host has today';
const OLD = 'the secret that this host had before';
const URL = 'https://hooks.example.com/';
const REF: PushRef = { scope: { agentId: 'a', tenant: 't', owner: 'o' }, taskId: '1', configId: 'c' };
const SECRETS = { token: 'token', credentials: 'credentials' };

describe('sealed secrets', () => {
  const seal = new SecretSeal(hostKeys(NEW, []));
  const sealed = seal.seal(REF, URL, SECRETS);

  it('open for the config they were sealed for', () => {
    expect(seal.open(REF, URL, sealed)).toEqual(SECRETS);
    expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sealed).not.toContain('credentials');
    expect(seal.seal(REF, URL, SECRETS)).not.toBe(sealed);
  });

  it.each([
    ['another agent', { ...REF, scope: { ...REF.scope, agentId: 'b' } }, URL],
    ['another tenant', { ...REF, scope: { ...REF.scope, tenant: 'u' } }, URL],
    ['another owner', { ...REF, scope: { ...REF.scope, owner: 'p' } }, URL],
    ['another task', { ...REF, taskId: '2' }, URL],
    ['another config', { ...REF, configId: 'd' }, URL],
    ['another URL', REF, 'https://evil.example/'],
  ])('do not open for %s [E28]', (_what, ref, url) => {
    expect(() => seal.open(ref, url, sealed)).toThrow('unable to authenticate');
  });

  it.each([
    ['plain text', '{"token":"x"}'],
    ['nothing', ''],
    ['a changed text', sealed.replace(/\.[\w-]+(\.[\w-]+)$/, '.AAAA$1')],
    ['a cut tag', sealed.slice(0, -4)],
    ['another version', sealed.replace('v1', 'v2')],
  ])('are refused as %s', (_what, text) => {
    expect(() => seal.open(REF, URL, text)).toThrow(/unknown key or form|unable to authenticate/);
  });

  it('survive a change of the secret, and end when the old one is forgotten', () => {
    const older = new SecretSeal(hostKeys(OLD, [])).seal(REF, URL, SECRETS);
    expect(new SecretSeal(hostKeys(NEW, [OLD])).open(REF, URL, older)).toEqual(SECRETS);
    expect(() => seal.open(REF, URL, older)).toThrow('unknown key');
  });

  it('have the same keys in every process that has the secret', () => {
    expect(new SecretSeal(hostKeys(NEW, [])).open(REF, URL, sealed)).toEqual(SECRETS);
    expect(hostKeys(NEW, [])[0].jwk).toEqual(hostKeys(NEW, [])[0].jwk);
    expect(hostKeys(NEW, [])[0].jwk.kid).not.toBe(hostKeys(OLD, [])[0].jwk.kid);
  });
});
