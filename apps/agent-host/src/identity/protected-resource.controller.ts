import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { AgentRegistry } from '@a2a/a2a-core';
import { type ProtectedResource, ProtectedResources, RESOURCE_METADATA_PATH } from '@a2a/auth';

/** Tells clients where tokens for an agent come from (RFC 9728); challenges name this address. Public, as the card is. */
@Controller(RESOURCE_METADATA_PATH)
export class ProtectedResourceController {
  constructor(
    private readonly resources: ProtectedResources,
    private readonly agents: AgentRegistry,
  ) {}

  /** Of the agent at the root paths. */
  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Access-Control-Allow-Origin', '*')
  ofDefaultAgent(): ProtectedResource {
    return this.of(this.agents.defaultAgent.id);
  }

  @Get('agents/:agent')
  @Header('Cache-Control', 'public, max-age=300')
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Access-Control-Allow-Origin', '*')
  of(@Param('agent') agentId: string): ProtectedResource {
    const resource = this.resources.find(agentId);
    if (!resource) throw new NotFoundException();
    return resource;
  }
}
