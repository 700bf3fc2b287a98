import { OutboundHttp, type OutboundOptions, type OutboundResponse } from '@a2a/a2a-core';
import { ProviderHttp } from './provider-http.js';
import { checkProviderUrl } from './provider-url.js';

/** Remembers what it was asked to allow. */
class Door extends OutboundHttp {
  readonly asked: OutboundOptions[] = [];

  refusal(): string | undefined {
    return undefined;
  }

  async get(_url: string, options: OutboundOptions): Promise<OutboundResponse> {
    this.asked.push(options);
    return { status: 200, headers: new Map(), body: new TextEncoder().encode('{}') };
  }

  async post(url: string, _body: string, options: OutboundOptions): Promise<OutboundResponse> {
    return this.get(url, options);
  }
}

describe('the way to an identity provider', () => {
  const door = new Door();
  const targetsFor = async (configuredUrl: string, url: string, targets?: OutboundOptions['targets']) => {
    await new ProviderHttp(door, configuredUrl, targets).getJson(url);
    return door.asked.at(-1)?.targets;
  };

  it('leads to this machine for a provider that is configured there', async () => {
    expect(await targetsFor('http://127.0.0.1:9000', 'http://127.0.0.1:9000/jwks')).toMatchObject({ allowHttp: true });
    expect(await targetsFor('http://localhost:9000', 'http://localhost:9000/jwks')).toMatchObject({
      openNetworks: ['127.0.0.0/8', '::1/128'],
    });
  });

  it('never leads to this machine because a document elsewhere says so [SECC-23]', async () => {
    expect(await targetsFor('https://login.example.com', 'http://127.0.0.1/jwks')).toBeUndefined();
  });

  it('takes what the operator allows', async () => {
    const targets = { openNetworks: ['10.0.0.0/8'] };
    expect(await targetsFor('https://login.example.com', 'https://login.example.com/jwks', targets)).toEqual(targets);
  });

  it('bounds every exchange', async () => {
    await new ProviderHttp(door, 'https://login.example.com').postForm('https://login.example.com/i', { token: 'x' }, 'Basic x');
    expect(door.asked.every(({ maxBytes, timeoutMs }) => maxBytes === 262_144 && timeoutMs === 2_000)).toBe(true);
  });

  it.each([
    'http://login.example.com',
    'ftp://login.example.com',
    'login.example.com',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
  ])('is never %s [SEC-10]', (url) => {
    expect(() => checkProviderUrl('issuer', url)).toThrow('issuer has to be an https URL');
  });
});
