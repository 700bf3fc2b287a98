import { Agent, type ChoosesSkill, EVENT_SEQUENCE_EXTENSION, type TurnContext } from '@a2a/a2a-core';
import { EXACT_AMOUNT } from './exact-amount.extension.js';

const QUESTION = /^\s*(list|status|show|where)\b/i;

/** Books expenses that a person has approved. */
@Agent({
  id: 'expense-approval',
  name: 'Expense Approval',
  description: 'Takes an expense, asks for what is missing, gets a person to approve it, and books it once.',
  version: '1.0.0',
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  pushNotifications: true,
  extensions: [EXACT_AMOUNT, EVENT_SEQUENCE_EXTENSION],
})
export class ExpenseApprovalAgent implements ChoosesSkill {
  /** A task once begun is a submission; a new message may be a question about earlier ones. */
  chooseSkill(turn: TurnContext): string {
    return !turn.task && QUESTION.test(turn.text) ? 'expense-status' : 'submit-expense';
  }
}
