import { hostname } from 'node:os';
import { type DynamicModule, Module } from '@nestjs/common';
import { Agent } from '@a2a/a2a-core';
import { ConformanceAgent } from './conformance.agent.js';
import { agentOptionsOf, type ConformanceConfig, ConformanceOptions } from './conformance.options.js';
import { ConformanceSkill } from './conformance.skill.js';

/** The test agent. Needs ApprovalsModule in the host. */
@Module({})
export class ConformanceModule {
  /** What an agent declares is fixed in its class, so each profile makes a class of its own. */
  static forProfile(config: ConformanceConfig): DynamicModule {
    @Agent(agentOptionsOf(config))
    class ProfiledConformanceAgent extends ConformanceAgent {}

    const options: ConformanceOptions = { replica: config.replica ?? hostname() };
    return {
      module: ConformanceModule,
      providers: [ProfiledConformanceAgent, ConformanceSkill, { provide: ConformanceOptions, useValue: options }],
    };
  }
}
