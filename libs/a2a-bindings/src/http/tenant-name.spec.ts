import { isTenantName } from './tenant-name.js';

describe('isTenantName', () => {
  it.each(['acme', 'a', 'Acme-1.eu_west', 'x'.repeat(63)])('accepts %s', (name) => expect(isTenantName(name)).toBe(true));

  it.each(['', '..', '../admin', '.well-known', 'a/b', 'a\u0000b', 'a b', 'ä', '-a', 'x'.repeat(64), 'a:b'])('refuses %j [E10]', (name) =>
    expect(isTenantName(name)).toBe(false),
  );

  it.each(['tasks', 'extendedAgentCard', 'agents', 'rpc', 'v1', 'health'])("refuses the protocol's own word %s [TEN-07]", (name) => {
    expect(isTenantName(name)).toBe(false);
  });
});
