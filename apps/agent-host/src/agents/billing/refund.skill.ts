import { type AgentEvent, AgentSkill, dataPart, type Skill, textOf, type TurnContext } from '@a2a/a2a-core';
import { type Invoice, invoicesOf } from './invoices.js';

/** Above this amount a refund needs more than the scope of this skill. */
const LARGE_CENTS = 50_000;

/**
 * Pays an invoice back.
 *
 * The scope is asked for before there is a task. Whether the amount is large is only known once the invoice is read, so that is asked in the
 * middle: the task then waits in AUTH_REQUIRED for a message with better credentials, and asks again when it comes.
 */
@AgentSkill({
  id: 'refund',
  name: 'Refund',
  description: 'Pays an invoice back. Amounts above 500 need the permission of large-refund.',
  tags: ['billing', 'refunds'],
  examples: ['refund INV-7'],
  scopes: ['billing.refund'],
})
export class RefundSkill implements Skill {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    const invoice = invoiceMeant(turn);
    if (!invoice) return yield turn.rejected('There is no such invoice.');
    yield turn.working('Looking at the invoice');
    if (invoice.cents > LARGE_CENTS) await turn.requireSkill('large-refund');
    const receipt = await turn.memo('refund', () => ({ refunded: invoice.number, cents: invoice.cents }));
    yield turn.artifact(dataPart(receipt));
    yield turn.completed(`Paid back ${invoice.number}`);
  }
}

/** As the first message said it: later ones may only bring better credentials. */
function invoiceMeant({ task, message, tenant }: TurnContext): Invoice | undefined {
  const wanted = /INV-\d+/.exec(textOf(task?.history[0] ?? message))?.[0];
  return invoicesOf(tenant).find(({ number }) => number === wanted);
}
