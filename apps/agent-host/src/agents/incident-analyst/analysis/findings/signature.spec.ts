import { runAnalysis } from '../../fixtures/run-analysis.js';
import { mask } from './signature.js';

describe('Signatures', () => {
  it.each([
    ['order 4711 failed after 1.5s (3 tries)', 'order <n> failed after <n>s (<n> tries)'],
    ['user 3f2b1c9e-1a2b-4c3d-8e9f-0a1b2c3d4e5f not found', 'user <uuid> not found'],
    ['segfault at 0xDEADBEEF in 7f3a99c1d2e4', 'segfault at <hex> in <hex>'],
    ['open /var/lib/app/data.db: denied', 'open <path>: denied'],
    ['open C:\\data\\app.log failed', 'open <path> failed'],
    ['dial 10.0.0.5:5432 and fe80:0:0:0:1:2:3:4', 'dial <ip> and <ip>'],
    ['relation "orders" or \'users\' missing', 'relation <text> or <text> missing'],
    ["can't reach it", "can't reach it"],
    ['GET https://pay.example:8443/v1/x?y=1 failed', 'GET <url> failed'],
    ['mail to jane.doe@example.org bounced', 'mail to <email> bounced'],
    ['since 2026-11-30T10:00:00.123Z', 'since <time>'],
    ['deadbeef is a word of letters, cafe too', 'deadbeef is a word of letters, cafe too'],
  ])('masks what varies in %s', (text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  it('groups one error of many orders, and counts it', async () => {
    const text = [1, 22, 333]
      .map((order) => `2026-11-30T10:00:0${String(order).length}Z ERROR shop: order ${order} failed for "u${order}"`)
      .join('\n');
    const { groups } = await runAnalysis(text);
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({
      signature: 'order <n> failed for <text>',
      count: 3,
      sources: ['shop'],
      first: { from: 1 },
      last: { from: 3 },
    });
  });

  it('keeps routes of failed requests apart, and their ids together', async () => {
    const line = (path: string) => `10.0.0.1 - - [30/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" 500 1`;
    const { groups } = await runAnalysis([line('/orders/1'), line('/orders/22?x=1'), line('/users/1')].join('\n'));
    expect(groups.map(({ signature, count }) => [signature, count])).toEqual([
      ['HTTP 500 GET /orders/<n>', 2],
      ['HTTP 500 GET /users/<n>', 1],
    ]);
  });

  it('adds up what the input counts by itself', async () => {
    const { groups } = await runAnalysis('2m (x7 over 5m)   Warning   BackOff   pod/web-0   Back-off restarting failed container');
    expect(groups[0]?.count).toBe(7);
  });
});
