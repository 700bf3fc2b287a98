import { AgentSkill, type Skill, type TurnContext } from '@a2a/a2a-core';
import { invoicesOf } from './invoices.js';

/** For everybody the agent lets in. */
@AgentSkill({
  id: 'balance',
  name: 'Balance',
  description: 'Lists the invoices of a customer and what they add up to.',
  tags: ['billing', 'invoices'],
  examples: ['What did we pay?'],
})
export class BalanceSkill implements Skill {
  execute({ tenant }: TurnContext): object {
    const invoices = invoicesOf(tenant);
    return { tenant, invoices, totalCents: invoices.reduce((total, { cents }) => total + cents, 0) };
  }
}
