import canonicalize from 'canonicalize';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { canonicalCard } from '@a2a/a2a-core';

/**
 * - `a2a`: the form of A2A §8.4.1.
 * - `sdk`: the same with every empty string, list and object removed at every depth, which is what the official SDKs verify. It does
 *   not cover requirements without scopes: who can change the card on its way can take them out. Only ever as a second signature.
 */
export type CardForm = 'a2a' | 'sdk';

/**
 * The bytes that a signature of a card covers: canonical form, then RFC 8785.
 *
 * @throws {Error} for what has no canonical JSON: lone surrogates, numbers that are none, or more than 64 levels
 */
export function cardPayload(card: JsonObject, form: CardForm = 'a2a'): Uint8Array {
  const canonical = canonicalCard(card);
  const text = canonicalize(form === 'a2a' ? canonical : (withoutEmpty(canonical) ?? {}));
  if (text === undefined) throw new Error('The card has no canonical form');
  return new TextEncoder().encode(text);
}

function withoutEmpty(value: JsonValue): JsonValue | undefined {
  if (value === '' || value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item): item is JsonValue => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const kept = withoutEmpty(member);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
