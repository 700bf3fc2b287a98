import { AgentSkill, type Skill } from '@a2a/a2a-core';

/** A permission more than a skill of its own: `refund` asks for it in the middle. Only who has it sees it on the card. */
@AgentSkill({
  id: 'large-refund',
  name: 'Large refunds',
  description: 'Refunds above 500. Ask for one by "refund", like any other.',
  tags: ['billing', 'refunds'],
  scopes: ['billing.approve'],
  visibility: 'extended',
})
export class LargeRefundSkill implements Skill {
  execute(): string {
    return 'Say "refund" and the number of the invoice.';
  }
}
