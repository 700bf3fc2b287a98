import { Module } from '@nestjs/common';
import { BalanceSkill } from './balance.skill.js';
import { BillingAgent } from './billing.agent.js';
import { LargeRefundSkill } from './large-refund.skill.js';
import { RefundSkill } from './refund.skill.js';

@Module({ providers: [BillingAgent, BalanceSkill, RefundSkill, LargeRefundSkill] })
export class BillingModule {}
