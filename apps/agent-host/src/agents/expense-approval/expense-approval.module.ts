import { Module } from '@nestjs/common';
import { ExpenseApprovalAgent } from './expense-approval.agent.js';
import { ExpenseApprovals } from './expense-approvals.js';
import { ExpenseStatusSkill } from './expense-status.skill.js';
import { SubmitExpenseSkill } from './submit-expense.skill.js';

/** Needs ApprovalsModule in the host. */
@Module({ providers: [ExpenseApprovalAgent, SubmitExpenseSkill, ExpenseStatusSkill, ExpenseApprovals] })
export class ExpenseApprovalModule {}
