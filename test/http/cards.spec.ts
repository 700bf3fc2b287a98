import { ask } from './support/http-client.js';
import { ADAPTERS, PUBLIC_URL, WireHost } from './support/wire-host.js';

const CARD = '/.well-known/agent-card.json';

describe.each(ADAPTERS)('Cards and catalog on %s', (adapter) => {
  let host: WireHost;
  beforeAll(async () => {
    host = await WireHost.start(adapter, { cardMaxAgeSeconds: 60 });
  });
  afterAll(() => host.stop());

  const get = (path: string, headers: Record<string, string> = {}) => ask(host.port, { path, headers });

  describe('a card', () => {
    it.each([
      [CARD, 'Demo', PUBLIC_URL],
      ['/agents/demo/.well-known/agent-card.json', 'Demo', `${PUBLIC_URL}/agents/demo`],
      ['/agents/other/.well-known/agent-card.json', 'Other <script>alert(1)</script>', `${PUBLIC_URL}/agents/other`],
    ])('is at %s, with the addresses that are really served, the best first [CARD-02, CARD-03, CARD-09]', async (path, name, base) => {
      const { headers, json, status } = await get(path);
      expect([status, headers['content-type'], json.name]).toEqual([200, 'application/json', name]);
      expect(json.supportedInterfaces).toEqual([
        { url: `${base}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: base, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ]);
    });

    it('may be kept by caches and read by every page [CACHE-01, CACHE-02, CARD-10]', async () => {
      const { headers } = await get(CARD, { origin: 'https://elsewhere.example' });
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^"[^"]+"$/),
        'last-modified': expect.stringMatching(/ GMT$/),
      });
    });

    it('is not sent again to who has it [CACHE-05]', async () => {
      const { headers } = await get(CARD);
      const conditions = { 'if-none-match': headers.etag, 'if-modified-since': headers['last-modified'] };
      for (const [name, value = ''] of Object.entries(conditions)) {
        const again = await get(CARD, { [name]: value });
        expect([again.status, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
        expect(again.headers['cache-control']).toBe('public, max-age=60');
      }
      expect((await get(CARD, { 'if-none-match': '"old"' })).status).toBe(200);
    });

    it('answers HEAD with the size of the card [CARD-10]', async () => {
      const whole = await get(CARD);
      const head = await ask(host.port, { method: 'HEAD', path: CARD });
      expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', whole.headers['content-length']]);
    });

    it('is the same bytes whatever a request claims [E21]', async () => {
      const plain = await get(CARD);
      for (const headers of [
        { host: 'evil.example' },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher', 'x-forwarded-prefix': '/evil' },
        { forwarded: 'host=evil.example;proto=http' },
      ] as Record<string, string>[]) {
        const other = await get(CARD, headers);
        expect([other.body, other.headers.etag]).toEqual([plain.body, plain.headers.etag]);
      }
    });

    it.each(['99.0', 'abc', ''])('is there for version %j too [VER-11]', async (version) => {
      expect((await get(CARD, { 'a2a-version': version })).status).toBe(200);
    });

    it('of nobody is nowhere, in the shape of the wire', async () => {
      expect(await get(`/agents/nobody${CARD}`)).toMatchObject({ status: 404, json: { error: { code: 404 } } });
    });
  });

  describe('the catalog', () => {
    const ids = async (query: string) => {
      const { json } = await get(`/agents${query}`);
      return (json.agents as { id: string }[]).map(({ id }) => id);
    };

    it('lists every agent with the address of its card', async () => {
      const { headers, json, status } = await get('/agents');
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/json', 'no-store']);
      expect(json.agents).toMatchObject([
        { id: 'demo', isDefault: true, card: `${PUBLIC_URL}/agents/demo${CARD}`, skills: [] },
        { id: 'other', isDefault: false },
      ]);
    });

    it.each([
      ['?q=answers', ['demo']],
      ['?q=nothing', []],
      ['?mediaType=image/png', []],
      ['?skill=&tag=', ['demo', 'other']],
      ['/', ['demo', 'other']],
    ])('is searched with %s', async (query, found) => expect(await ids(query)).toEqual(found));

    it('refuses a condition that is too long', async () => {
      expect((await get(`/agents?q=${'x'.repeat(257)}`)).status).toBe(400);
    });
  });

  describe('the page for people', () => {
    it('shows the agents, can do nothing, and loads nothing [E24]', async () => {
      const { body, headers, status } = await get('/');
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(body).toContain('Other &lt;script&gt;alert(1)&lt;/script&gt;');
      expect(body).toContain('Another &amp; &quot;quoted&quot;');
      expect(body).not.toContain('<script');
      expect(body).toContain(`curl ${PUBLIC_URL}/agents/demo/rpc`);
    });
  });
});

describe.each(ADAPTERS)('Cards are truthful on %s', (adapter) => {
  it('a wire that is not served is not listed, and its addresses are nowhere [CARD-03, CONF-03]', async () => {
    const host = await WireHost.start(adapter, { rest: false, frontPage: false });
    try {
      const { json } = await ask(host.port, { path: CARD });
      expect((json.supportedInterfaces as { protocolBinding: string }[]).map(({ protocolBinding }) => protocolBinding)).toEqual([
        'JSONRPC',
      ]);
      expect((await ask(host.port, { path: '/tasks' })).status).toBe(404);
      expect((await ask(host.port, { path: '/' })).status).toBe(405);
    } finally {
      await host.stop();
    }
  });
});
