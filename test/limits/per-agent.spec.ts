import { ADAPTERS, LimitedHost, say, WIRES } from './support/limited-host.js';
import { refusalOf } from './support/refusals.js';

const MEBIBYTE = 1_048_576;

describe.each(ADAPTERS)('Limits of one agent, on %s,', (adapter) => {
  let host: LimitedHost;
  beforeAll(async () => {
    host = await LimitedHost.start(adapter, {
      core: { limits: { parts: 2, textBytes: 100_000 } },
      worker: { limits: { requestBytes: 4 * MEBIBYTE, textBytes: 2 * MEBIBYTE, parts: 5 } },
      other: { limits: { requestBytes: 65_536 } },
    });
  });
  afterAll(() => host.stop());

  const text = (bytes: number) => say('x'.repeat(bytes));
  const parts = (count: number) => say('', { parts: Array.from({ length: count }, () => ({ text: 'x' })) });

  it.each(WIRES)('let it take larger requests than others, and no larger ones, over %s [D1]', async (wire) => {
    expect((await host.client(wire).send(text(2 * MEBIBYTE))).message).toBeDefined();
    await refusalOf(wire, 'invalid', host.client(wire).send(text(2 * MEBIBYTE + 1)));
    const error = await refusalOf(wire, 'too large', host.client(wire).send(text(5 * MEBIBYTE)));
    // What is larger than any agent takes is refused by grpc-js itself, in words of its own.
    expect(error.message).toMatch(wire === 'GRPC' ? /larger than max/ : /^The request body is larger than 4194304 bytes$/);
  });

  it.each(WIRES)('let it take smaller requests than others, over %s', async (wire) => {
    const other = host.client(wire, 'other');
    expect((await other.send(text(60_000))).message).toBeDefined();
    const error = await refusalOf(wire, 'too large', other.send(text(70_000)));
    expect(error.message).toMatch(/^The request( body)? is larger than 65536 bytes$/);
    expect(error.reason).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each(WIRES)('go before those of the host, which go before the defaults, over %s', async (wire) => {
    expect((await host.client(wire).send(parts(5))).message).toBeDefined();
    const violations = await refusalOf(wire, 'invalid', host.client(wire).send(parts(6)));
    expect(violations.message).toContain('at most 5 parts');
    expect((await host.client(wire, 'other').send(parts(2))).message).toBeDefined();
    expect((await refusalOf(wire, 'invalid', host.client(wire, 'other').send(parts(3)))).message).toContain('at most 2 parts');
  });
});
