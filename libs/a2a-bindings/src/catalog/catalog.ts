import { Inject, Injectable } from '@nestjs/common';
import { A2A_CORE_OPTIONS, type A2aCoreOptions, type AgentCard, AgentCardService, AgentRegistry } from '@a2a/a2a-core';
import { CARD_PATH } from '../http/http-endpoints.js';
import { matchesCard, type CatalogSearch } from './catalog-search.js';

/** One hosted agent, as people and programs look it up. */
export interface CatalogEntry {
  readonly id: string;
  readonly isDefault: boolean;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** URL of its card. */
  readonly card: string;
  readonly interfaces: readonly { readonly protocolBinding: string; readonly url: string; readonly tenant?: string }[];
  readonly skills: readonly Pick<AgentCard['skills'][number], 'id' | 'name' | 'description' | 'tags'>[];
}

/** Every agent of this host, as their public cards tell of them. */
@Injectable()
export class Catalog {
  constructor(
    @Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions,
    private readonly agents: AgentRegistry,
    private readonly cards: AgentCardService,
  ) {}

  /** Agents that meet every condition, in the order in which they are hosted. */
  search(search: CatalogSearch = {}): CatalogEntry[] {
    return this.agents.agents
      .map((agent) => ({ agent, card: this.cards.publicCard(agent, false).card }))
      .filter(({ card }) => matchesCard(card, search))
      .map(({ agent, card }) => this.#entry(agent.id, agent.isDefault, card));
  }

  #entry(id: string, isDefault: boolean, { name, description, version, supportedInterfaces, skills }: AgentCard): CatalogEntry {
    return {
      id,
      isDefault,
      name,
      description,
      version,
      card: `${this.options.publicUrl}/agents/${id}${CARD_PATH}`,
      interfaces: supportedInterfaces.map(({ protocolBinding, url, tenant }) => ({ protocolBinding, url, tenant: tenant || undefined })),
      skills: skills.map((skill) => ({ id: skill.id, name: skill.name, description: skill.description, tags: skill.tags })),
    };
  }
}
