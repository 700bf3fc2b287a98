import { type AgentCard } from '@a2a/a2a-core';

type Skill = AgentCard['skills'][number];

/** What to look for. All conditions must hold; letter case never counts. */
export interface CatalogSearch {
  /** Id of a skill, or a piece of its name. */
  readonly skill?: string;
  /** A tag of a skill. */
  readonly tag?: string;
  /** A media type that some skill takes or makes, such as `text/*`. */
  readonly mediaType?: string;
  /** Words, each to be found somewhere in the card's texts. */
  readonly q?: string;
}

/** `skill`, `tag` and `mediaType` are asked of one and the same skill: an agent that does each, but never together, is no match. */
export function matchesCard(card: AgentCard, { skill, tag, mediaType, q }: CatalogSearch): boolean {
  const asksForSkill = skill !== undefined || tag !== undefined || mediaType !== undefined;
  const hasSkill = card.skills.some(
    (candidate) =>
      (skill === undefined || same(candidate.id, skill) || contains(candidate.name, skill)) &&
      (tag === undefined || candidate.tags.some((known) => same(known, tag))) &&
      (mediaType === undefined || modesOf(card, candidate).some((mode) => accepts(mode, mediaType))),
  );
  return (!asksForSkill || hasSkill) && (q === undefined || matchesWords(card, q));
}

function matchesWords(card: AgentCard, q: string): boolean {
  const texts = [card.name, card.description, ...card.skills.flatMap((skill) => [skill.id, skill.name, skill.description, ...skill.tags])];
  const haystack = texts.join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

function modesOf(card: AgentCard, { inputModes, outputModes }: Skill): string[] {
  return [
    ...(inputModes.length > 0 ? inputModes : card.defaultInputModes),
    ...(outputModes.length > 0 ? outputModes : card.defaultOutputModes),
  ];
}

/** Either side may end in a wildcard. */
function accepts(mode: string, wanted: string): boolean {
  const [type = '', subtype] = mode.toLowerCase().split('/');
  const [wantedType = '', wantedSubtype] = wanted.toLowerCase().split('/');
  const typesMeet = type === '*' || wantedType === '*' || type === wantedType;
  return typesMeet && (subtype === '*' || wantedSubtype === '*' || wantedSubtype === undefined || subtype === wantedSubtype);
}

function same(text: string, wanted: string): boolean {
  return text.toLowerCase() === wanted.toLowerCase();
}

function contains(text: string, piece: string): boolean {
  return text.toLowerCase().includes(piece.toLowerCase());
}
