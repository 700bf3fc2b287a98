import { type CardJson, clientOf, type ConformanceHost, type Wire } from './conformance-host.js';
import { faultsOf } from './strict-schema.js';

const WELL_KNOWN = '/.well-known/agent-card.json';

/** A2A §8. */
export function cardsSuite(host: () => ConformanceHost): void {
  describe('Agent cards', () => {
    const get = (path: string, init?: RequestInit) => fetch(`${host().httpUrl}${path}`, init);
    const cardAt = async (path: string): Promise<CardJson> => (await (await get(path)).json()) as CardJson;

    async function agentIds(): Promise<string[]> {
      const catalog = (await (await get('/agents')).json()) as { agents: { id: string }[] };
      return catalog.agents.map(({ id }) => id);
    }

    it('are found at the well-known path, as JSON that everybody may read [CARD-01] [CARD-02] [CARD-10]', async () => {
      const response = await get(WELL_KNOWN, { headers: { origin: 'https://elsewhere.example' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    });

    it('hold the members of 1.0 that are required, and no member that it does not know [CARD-05] [CARD-06]', async () => {
      const paths = [WELL_KNOWN, ...(await agentIds()).map((id) => `/agents/${id}${WELL_KNOWN}`)];
      expect(paths.length).toBeGreaterThan(2);
      for (const path of paths) expect([path, faultsOf('AgentCard', await cardAt(path))]).toEqual([path, []]);
    });

    it('tell each agent from the others [CARD-09]', async () => {
      const cards = await Promise.all((await agentIds()).map((id) => cardAt(`/agents/${id}${WELL_KNOWN}`)));
      expect(new Set(cards.map(({ name }) => name)).size).toBe(cards.length);
    });

    it('offer interfaces of version 1.0 that really answer, each in its form of address [CARD-03] [CARD-04] [CARD-20]', async () => {
      for (const path of [WELL_KNOWN, ...(await agentIds()).map((id) => `/agents/${id}${WELL_KNOWN}`)]) {
        const card = await cardAt(path);
        expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding).toSorted()).toEqual(['GRPC', 'HTTP+JSON', 'JSONRPC']);
        for (const { url, protocolBinding, protocolVersion } of card.supportedInterfaces) {
          expect(protocolVersion).toBe('1.0');
          expect(url).toMatch(protocolBinding === 'GRPC' ? /^[^/:]+:\d+$/ : /^http:\/\/127\.0\.0\.1:\d+/);
          const client = clientOf(card, protocolBinding as Wire);
          expect(await client.listTasks({ pageSize: 1 })).toHaveProperty('totalSize');
          client.close();
        }
      }
    });

    it('can be cached and asked for again cheaply [CACHE-02] [CACHE-03] [CACHE-04] [CACHE-05]', async () => {
      const { headers } = await get(WELL_KNOWN);
      expect(headers.get('cache-control')).toMatch(/max-age=\d+/);
      const etag = headers.get('etag') ?? '';
      const lastModified = headers.get('last-modified') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(Date.parse(lastModified)).toBeLessThanOrEqual(Date.now());
      const conditions: Record<string, string>[] = [
        { 'if-none-match': etag },
        { 'if-none-match': `"x", ${etag}` },
        { 'if-modified-since': lastModified },
      ];
      for (const condition of conditions) {
        const unchanged = await get(WELL_KNOWN, { headers: condition });
        expect([condition, unchanged.status, await unchanged.text()]).toEqual([condition, 304, '']);
      }
      expect((await get(WELL_KNOWN, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
    });

    it('answer HEAD as GET, without the body [CARD-10]', async () => {
      const [head, full] = [await get(WELL_KNOWN, { method: 'HEAD' }), await get(WELL_KNOWN)];
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('etag')).toBe(full.headers.get('etag'));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await full.text())));
    });

    it('are the same whatever version or host a request names [VER-11]', async () => {
      const plain = await (await get(WELL_KNOWN)).text();
      const variants: Record<string, string>[] = [
        { 'a2a-version': '99.0' },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
        { forwarded: 'host=evil.example' },
      ];
      for (const headers of variants) {
        expect(await (await get(WELL_KNOWN, { headers: headers })).text()).toBe(plain);
      }
    });

    it.each(['/agents/nobody/.well-known/agent-card.json', '/agents/..%2Fconformance/.well-known/agent-card.json'])(
      'are not made up for nobody: %s [TEN-05]',
      async (path) => {
        const response = await get(path);
        expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringMatching(/json/)]);
      },
    );
  });
}
