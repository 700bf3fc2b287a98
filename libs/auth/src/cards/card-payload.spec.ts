import { createHash, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type JsonObject } from '@bufbuild/protobuf';
import { CARD_VECTOR } from '../../../../test/support/card-vector.js';
import { cardPayload } from './card-payload.js';

const text = (card: JsonObject, form?: 'a2a' | 'sdk'): string => new TextDecoder().decode(cardPayload(card, form));

/** RFC 8785, appendix B: IEEE 754 bits and the text each number has to become. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

describe('the payload of a card signature', () => {
  it('is vector D.2, byte for byte [SIGN-02…SIGN-08]', () => {
    expect(text(CARD_VECTOR)).toBe(
      '{"capabilities":{"extensions":[{"params":{"a":[],"n":1,"z":""},"uri":"urn:x"}],"streaming":false},"defaultInputModes":[],' +
        '"defaultOutputModes":["text/plain"],"description":"","documentationUrl":"","name":"Vector Agent €",' +
        '"provider":{"organization":"Ex","url":""},"securityRequirements":[{"schemes":{"m":{}}}],"securitySchemes":{"m":{"mtlsSecurityScheme":{}},' +
        '"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"authorizationUrl":"https://as.example/a","scopes":{},' +
        '"tokenUrl":"https://as.example/t"}}}}},"skills":[],' +
        '"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://a.example/rpc"}],"version":"1.0.0"}',
    );
    const bytes = cardPayload(CARD_VECTOR);
    expect(bytes.byteLength).toBe(649);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe('8b0215c53f07afb6f0c36eb2761d90d5626ef4137f3ddc64e41f9ec21a096b5c');
  });

  describe('writes JSON as RFC 8785 does [SIGN-08]', () => {
    it.each(NUMBERS)('the double %s as %s', (bits, expected) => {
      const number = Buffer.from(bits, 'hex').readDoubleBE();
      expect(text({ capabilities: { extensions: [{ uri: 'urn:x', params: { number } }] } })).toContain(`"number":${expected}}`);
    });

    it('members in the order of UTF-16 code units, which is not that of code points', () => {
      const params = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
      const written = text({ capabilities: { extensions: [{ params }] } });
      const order = [...written.matchAll(/:(\d)/g)].map(([, number]) => Number(number));
      expect(order).toEqual([2, 4, 6, 7, 1, 5, 3]);
    });

    it('characters with the shortest escape and no other', () => {
      expect(text({ name: '\u20ac$\u000f\nA\'\u0042\u0022\u005c\\"/</script>\u007f' })).toBe(
        '{"name":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/</script>\u007f"}',
      );
    });

    it('the six kinds of value, nested and mixed', () => {
      const params = {
        numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        literals: [null, true, false],
        'a b': {},
      };
      expect(text({ capabilities: { extensions: [{ params }] } })).toBe(
        '{"capabilities":{"extensions":[{"params":{"a b":{},"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}}]}}',
      );
    });

    it('different normal forms of a text as what they are', () => {
      expect(text({ name: '\u00c5' })).not.toBe(text({ name: 'A\u030a' }));
    });

    it('what is canonical already unchanged', () => {
      const once = text({ name: 'b', description: 'a', capabilities: { streaming: true } });
      expect(text(JSON.parse(once) as JsonObject)).toBe(once);
    });
  });

  describe('refuses what has no canonical form', () => {
    it.each([
      ['a lone high surrogate', { name: '\ud800' }],
      ['a lone low surrogate', { name: 'a\udc00b' }],
      ['surrogates in the wrong order', { name: '\udc00\ud800' }],
      ['a lone surrogate in a key', { '\ud800': 1 }],
      ['a number that is none', { capabilities: { extensions: [{ params: { n: Number.NaN } }] } }],
      ['infinity', { capabilities: { extensions: [{ params: { n: Number.POSITIVE_INFINITY } }] } }],
    ])('%s', (_name, card) => {
      expect(() => cardPayload(card)).toThrow(/surrogate|NaN|Infinity/i);
    });

    it('depth beyond 64, without running out of stack', () => {
      let params: JsonObject = {};
      for (let depth = 0; depth < 50_000; depth++) params = { a: params };
      expect(() => cardPayload({ capabilities: { extensions: [{ params }] } })).toThrow('64 levels');
    });
  });

  it('agrees with ECMAScript on random doubles', () => {
    const numbers = Array.from(new Float64Array(randomBytes(80_000).buffer.slice(0, 80_000))).filter(Number.isFinite);
    expect(numbers.filter((number) => canonicalize(number) !== JSON.stringify(number))).toEqual([]);
    expect(numbers.length).toBeGreaterThan(9_000);
  });

  it('has a second form without anything empty, for the official SDKs', () => {
    const card = {
      name: 'a',
      description: '',
      skills: [],
      securityRequirements: [{ schemes: { m: {} } }],
      capabilities: { streaming: false },
    };
    expect(text(card, 'sdk')).toBe('{"capabilities":{"streaming":false},"name":"a"}');
    expect(text({}, 'sdk')).toBe('{}');
  });
});
