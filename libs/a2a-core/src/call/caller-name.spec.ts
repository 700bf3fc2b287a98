import { addressPrefix } from './address-prefix.js';
import { callerName } from './caller-name.js';
import { ANONYMOUS } from './principal.js';

describe('addressPrefix', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::1', '0:0:0:0::'],
    ['::', '0:0:0:0::'],
    ['1::', '1:0:0:0::'],
    ['no address', 'unknown'],
    ['::ffff:999.0.0.1', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('counts %s as %s [D19]', (address, prefix) => {
    expect(addressPrefix(address)).toBe(prefix);
  });

  it('gives one name to a whole /64 and another to the next', () => {
    expect(addressPrefix('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(addressPrefix('2001:db8:1:2::'));
    expect(addressPrefix('2001:db8:1:3::')).not.toBe(addressPrefix('2001:db8:1:2::'));
  });
});

describe('callerName', () => {
  it('is the owner whose credentials held, wherever the call comes from', () => {
    const ada = { ...ANONYMOUS, owner: 'ada', authenticated: true };
    expect(callerName(ada, '203.0.113.7')).toBe(callerName(ada, '198.51.100.1'));
  });

  it('is the address without credentials, whatever name the caller made up [D19]', () => {
    const [one, other] = ['session-1', 'session-2'].map((owner) => callerName({ ...ANONYMOUS, owner }, '203.0.113.7'));
    expect(one).toBe(other);
  });

  it('cannot be the address of somebody else', () => {
    const posing = { ...ANONYMOUS, owner: '203.0.113.7', authenticated: true };
    expect(callerName(posing)).not.toBe(callerName(ANONYMOUS, '203.0.113.7'));
  });
});
