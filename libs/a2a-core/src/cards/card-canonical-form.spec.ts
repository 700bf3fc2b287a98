import { createHash } from 'node:crypto';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { CARD_VECTOR } from '../../../../test/support/card-vector.js';
import { canonicalCard, knownMembersOf } from './card-canonical-form.js';

/** Sorted keys and no whitespace: all that RFC 8785 adds for the values of these cards. */
function serialise(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(serialise).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${serialise(value[key] ?? null)}`).join(',')}}`;
}

describe('the canonical form of a card', () => {
  it('matches the worked example of the specification [SIGN-04, SIGN-05]', () => {
    const card = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    };
    expect(serialise(canonicalCard(card))).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it('matches vector D.2 byte for byte [SIGN-03…SIGN-08]', () => {
    const bytes = Buffer.from(serialise(canonicalCard(CARD_VECTOR)));
    expect(bytes.length).toBe(649);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe('8b0215c53f07afb6f0c36eb2761d90d5626ef4137f3ddc64e41f9ec21a096b5c');
  });

  it('drops a member set to null [SIGN-07]', () => {
    expect(canonicalCard({ name: 'a', iconUrl: null, provider: null })).toEqual({ name: 'a' });
  });

  it('keeps an empty message that is there, and the difference to one that is not [SIGN-07]', () => {
    expect(canonicalCard({ capabilities: {}, securityRequirements: [{ schemes: { m: {} } }, {}] })).toEqual({
      capabilities: {},
      securityRequirements: [{ schemes: { m: {} } }, {}],
    });
    expect(canonicalCard({ securityRequirements: [] })).toEqual({});
  });

  it('keeps an unknown member, so that adding one changes the payload [SIGN-15]', () => {
    expect(canonicalCard({ name: 'a', futureMember: '' })).toEqual({ name: 'a', futureMember: '' });
  });

  it('projects on the known members and their JSON names on request [SIGN-15]', () => {
    expect(knownMembersOf({ name: 'a', futureMember: 1, skills: [{ id: 's', x: 1 }], icon_url: 'https://i.example' })).toEqual({
      name: 'a',
      skills: [{ id: 's' }],
      iconUrl: 'https://i.example',
    });
  });

  it('does not change its input', () => {
    const before = JSON.stringify(CARD_VECTOR);
    canonicalCard(CARD_VECTOR);
    expect(JSON.stringify(CARD_VECTOR)).toBe(before);
  });

  it('refuses nesting beyond 64 levels, however deep', () => {
    let params: JsonObject = {};
    for (let depth = 0; depth < 10_000; depth++) params = { a: params };
    expect(() => canonicalCard({ capabilities: { extensions: [{ params }] } })).toThrow(RangeError);
  });
});
