import { createHash } from 'node:crypto';
import { type CatalogEntry } from './catalog.js';
import { FRONT_PAGE_POLICY, formatFrontPage } from './front-page.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;
const entry: CatalogEntry = {
  id: 'x',
  isDefault: true,
  name: HOSTILE,
  description: HOSTILE,
  version: HOSTILE,
  card: 'javascript:alert(1)',
  interfaces: [{ protocolBinding: 'JSONRPC', url: 'https://h.example/rpc', tenant: HOSTILE }],
  skills: [{ id: HOSTILE, name: HOSTILE, description: HOSTILE, tags: [HOSTILE] }],
};

describe('formatFrontPage', () => {
  it('shows every text of a card as text [E24]', () => {
    const page = formatFrontPage([entry]);
    expect(page).not.toContain('<img');
    expect(page.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp;/g)?.length).toBeGreaterThanOrEqual(6);
  });

  it('links nothing but http and https [E24]', () => {
    expect(formatFrontPage([entry])).not.toMatch(/href="javascript/);
    expect(formatFrontPage([{ ...entry, card: 'https://h.example/"><b>' }])).toContain('href="https://h.example/&quot;&gt;&lt;b&gt;"');
  });

  it('allows its own style and nothing else [E24]', () => {
    const style = /<style>([^]*)<\/style>/.exec(formatFrontPage([]))?.[1] ?? '';
    expect(FRONT_PAGE_POLICY).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(FRONT_PAGE_POLICY).toContain("default-src 'none'");
    expect(formatFrontPage([entry])).not.toMatch(/<script|style=/);
  });

  it('says how to call the default agent', () => {
    expect(formatFrontPage([entry])).toContain('curl https://h.example/rpc');
  });
});
