import { type AgentCard } from '../gen/a2a_pb.js';
import { type HostedAgent } from '../agents/hosted-agent.js';

/** A card as it is served: the same bytes for everybody. */
export interface ServedCard {
  readonly card: AgentCard;
  /** UTF-8 JSON. */
  readonly body: string;
  /** Strong validator, quotes included. */
  readonly etag: string;
  readonly lastModified: Date;
}

/** Cards as clients see them. */
export abstract class AgentCardService {
  /** @param atRoot the card of the root paths, not of `/agents/<id>` */
  abstract publicCard(agent: HostedAgent, atRoot: boolean): ServedCard;
}
