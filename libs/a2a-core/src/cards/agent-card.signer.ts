import { type AgentCard, type AgentCardSignature } from '../gen/a2a_pb.js';

/** Signs cards (A2A §8.4). */
export abstract class AgentCardSigner {
  /**
   * @param card final in every member: capabilities and interfaces included. Its own signatures are not looked at
   * @returns one signature for each active key; empty when the host signs nothing
   */
  abstract sign(card: AgentCard): Promise<readonly AgentCardSignature[]>;
}

/** For hosts without keys: cards go out as they are. */
export class UnsignedCards extends AgentCardSigner {
  async sign(): Promise<readonly AgentCardSignature[]> {
    return [];
  }
}
