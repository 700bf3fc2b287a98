import { type AgentCard, AgentCardSchema } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { checkRequired } from '../protocol/request-validation.js';

/** What this host has, beside wires and schemes, that a card may promise. */
export interface HostAbilities {
  readonly pushNotifications: boolean;
}

/**
 * A card that promises what is not served, or lacks what the protocol demands, keeps the host from starting (A2A §5.7, §8.3).
 *
 * @throws {Error} naming the agent and the next step
 */
export function checkCard(agentId: string, card: AgentCard, host: HostAbilities): void {
  const complain = (problem: string, next: string): never => {
    throw new Error(`The card of agent "${agentId}" ${problem}; ${next}`);
  };
  if (card.supportedInterfaces.length === 0) complain('has no interface', 'switch on a wire in A2aBindingsModule.forRoot');
  if (card.capabilities?.pushNotifications && !host.pushNotifications) {
    complain('declares pushNotifications, which this host does not have', 'remove it from @Agent or give A2aCoreModule a push module');
  }
  for (const { id, tags } of card.skills) {
    if (tags.length === 0) complain(`has skill "${id}" without tags`, 'give @AgentSkill at least one tag');
    if (card.skills.filter((other) => other.id === id).length > 1) complain(`has two skills "${id}"`, 'rename one of them');
  }
  const blank = findBlank(card);
  if (blank) complain(`has an empty ${blank}`, 'fill it in or leave it out');
  try {
    checkRequired(AgentCardSchema, { ...card, skills: card.skills.length > 0 ? card.skills : [PLACEHOLDER_SKILL] } as AgentCard);
  } catch (error) {
    complain('is incomplete', `${error instanceof A2aError ? error.message : String(error)}`);
  }
}

/** `skills: []` is served as it is (A2A §4.4.1 with the empty page of §3.1.4 as precedent); the schema check wants one. */
const PLACEHOLDER_SKILL = {
  $typeName: 'lf.a2a.v1.AgentSkill',
  id: 'x',
  name: 'x',
  description: 'x',
  tags: ['x'],
  examples: [],
  inputModes: [],
  outputModes: [],
  securityRequirements: [],
} as const;

/** Empty members make two implementations of card signing disagree (A2A §8.4.1), so there are none. */
function findBlank(card: AgentCard): string | undefined {
  if (card.documentationUrl === '') return 'documentationUrl';
  return card.iconUrl === '' ? 'iconUrl' : undefined;
}
