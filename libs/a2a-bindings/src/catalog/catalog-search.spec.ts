import { create } from '@bufbuild/protobuf';
import { AgentCardSchema } from '@a2a/a2a-core';
import { type CatalogSearch, matchesCard } from './catalog-search.js';

const card = create(AgentCardSchema, {
  name: 'Bookkeeper',
  description: 'Keeps the books',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['application/json'],
  skills: [
    { id: 'refund', name: 'Refund an invoice', description: 'Pays money back', tags: ['Billing'], inputModes: ['image/png'] },
    { id: 'report', name: 'Yearly report', description: 'Sums up', tags: ['reports'], outputModes: ['text/*'] },
  ],
});

describe('matchesCard', () => {
  it.each<CatalogSearch>([
    {},
    { skill: 'refund' },
    { skill: 'REFUND' },
    { skill: 'yearly' },
    { tag: 'billing' },
    { mediaType: 'image/png' },
    { mediaType: 'image/*' },
    { mediaType: 'image' },
    { mediaType: 'text/html' },
    { mediaType: 'application/json', tag: 'billing' },
    { q: 'books' },
    { q: 'money bookkeeper' },
    { skill: 'report', q: 'sums' },
  ])('finds %j', (search) => expect(matchesCard(card, search)).toBe(true));

  it.each<CatalogSearch>([
    { skill: 'ship' },
    { tag: 'bill' },
    { mediaType: 'video/mp4' },
    { mediaType: 'image/jpeg' },
    { skill: 'refund', tag: 'reports' },
    { q: 'books shipping' },
  ])('does not find %j', (search) => expect(matchesCard(card, search)).toBe(false));
});
