import { Module } from '@nestjs/common';
import { EchoAgent } from './echo.agent.js';
import { EchoSkill } from './echo.skill.js';

@Module({ providers: [EchoAgent, EchoSkill] })
export class EchoModule {}
