import { Agent, type CallContext, type ChoosesSkill, ExtendedCard, type ExtendedCardDetails, type TurnContext } from '@a2a/a2a-core';
import { invoicesOf } from './invoices.js';

/**
 * A protected agent to try and to copy. It has no requirements of its own: the security file says who may come in, and the host only has
 * this agent where that file names it.
 */
@Agent({
  id: 'billing',
  name: 'Billing desk',
  description: 'Knows the invoices of the customer you call for, and pays back what was paid too much.',
  version: '1.0.0',
  defaultOutputModes: ['text/plain', 'application/json'],
  extendedAgentCard: true,
})
export class BillingAgent implements ChoosesSkill {
  chooseSkill({ text, task }: TurnContext): string | undefined {
    return task === undefined && /^\s*refund\b/i.test(text) ? 'refund' : undefined;
  }

  /** Says what only a caller who may see the invoices should know. */
  @ExtendedCard()
  details({ tenant }: CallContext): ExtendedCardDetails {
    const count = invoicesOf(tenant).length;
    return { description: `Billing desk for ${tenant || 'callers without a tenant'}, with ${count} invoices.` };
  }
}
