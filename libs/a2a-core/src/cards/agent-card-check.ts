import { type AgentCard, AgentCardSchema, type AgentSkill } from '../gen/a2a_pb.js';
import { findMissing } from '../protocol/request-validation.js';
import { findBlank } from './blank-members.js';

/** What this host has, beside wires and schemes, that a card may promise. */
export interface HostAbilities {
  readonly pushNotifications: boolean;
}

/** `skills: []` is served as it is (A2A §4.4.1, with the empty page of §3.1.4 as precedent). */
const MAY_BE_EMPTY = 'skills';

/**
 * A card that promises what is not served, or lacks what the protocol demands, keeps the host from starting (A2A §5.7, §8.3).
 *
 * Blank members are refused wherever they stand: they say nothing, and two implementations of card signing disagree about them
 * (A2A §8.4.1).
 *
 * @param card with every skill of the agent, also those that only the extended card shows
 * @throws {Error} naming the agent, the member and the next step
 */
export function checkCard(agentId: string, card: AgentCard, host: HostAbilities): void {
  const complain = (problem: string, next: string): never => {
    throw new Error(`The card of agent "${agentId}" ${problem}; ${next}`);
  };
  if (card.supportedInterfaces.length === 0) complain('has no interface', 'switch on a wire in A2aBindingsModule.forRoot');
  if (card.capabilities?.pushNotifications && !host.pushNotifications) {
    complain('declares pushNotifications, which this host does not have', 'remove it from @Agent or give A2aCoreModule a push module');
  }
  const twice = findRepeated(card.skills);
  if (twice !== undefined) complain(`has two skills "${twice}"`, 'rename one of them');
  const missing = findMissing(AgentCardSchema, card).flatMap(({ field }) => (field === MAY_BE_EMPTY ? [] : [field]));
  const empty = [...new Set([...missing, ...findBlank(AgentCardSchema, card)])];
  if (empty.length > 0) {
    complain(`has nothing in ${empty.map((path) => inWords(path, card)).join(', ')}`, 'fill it in @Agent or @AgentSkill, or leave it out');
  }
}

function findRepeated(skills: readonly AgentSkill[]): string | undefined {
  const ids = skills.map(({ id }) => id);
  return ids.find((id, index) => id !== '' && ids.indexOf(id) !== index);
}

/** A skill is known to its author by its id, not by its place. */
function inWords(path: string, { skills }: AgentCard): string {
  const [, index, member] = /^skills\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  const id = index === undefined ? '' : (skills[Number(index)]?.id.trim() ?? '');
  return id === '' ? path : `${member} of skill "${id}"`;
}
