import { Injectable } from '@nestjs/common';
import { type TurnContext } from '@a2a/a2a-core';
import { type Approval, type ApprovalStatus } from '../../approvals/approval.js';
import { ApprovalBook } from '../../approvals/approval-book.js';
import { digestOf, type Expense, linesOf } from './expense.js';
import { type Claim } from './expense-ledger.js';

/** Where a claim stands with the people who approve. `none`: nobody was asked, or for another expense than this. */
export type Standing =
  { readonly status: 'none'; readonly approval?: undefined } | { readonly status: ApprovalStatus; readonly approval: Approval };

/** Approvals of expenses. Each is given for one expense as it was previewed, to the last digit. */
@Injectable()
export class ExpenseApprovals {
  constructor(private readonly book: ApprovalBook) {}

  async standingOf({ approvalId }: Claim, expense: Expense): Promise<Standing> {
    const approval = approvalId === undefined ? undefined : await this.book.get(approvalId);
    if (approval?.subject !== digestOf(expense)) return { status: 'none' };
    return { status: this.book.statusOf(approval), approval };
  }

  /** Opens a new approval. An earlier one of the same claim should be retracted first. */
  ask(turn: TurnContext, expense: Expense): Promise<Approval> {
    return this.book.open({ task: turn.ref, title: 'Book this expense?', facts: linesOf(expense), subject: digestOf(expense) });
  }

  urlOf(approval: Approval): string {
    return this.book.urlOf(approval);
  }

  /** Nobody shall decide on it any more. */
  async retract({ approvalId }: Claim): Promise<void> {
    if (approvalId !== undefined) await this.book.withdraw(approvalId);
  }

  /** The decision has been acted upon. */
  async settle({ approvalId }: Claim): Promise<void> {
    if (approvalId !== undefined) await this.book.settle(approvalId);
  }
}
