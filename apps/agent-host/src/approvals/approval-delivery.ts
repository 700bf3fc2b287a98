import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { A2aError, A2aLogger, TaskResumer } from '@a2a/a2a-core';
import { ApprovalBook } from './approval-book.js';

/** What a turn that a decision woke finds in `turn.resumeMetadata`: the approval's id. */
export const APPROVAL_ID = 'approvalId';

/**
 * Tells tasks that somebody has decided.
 *
 * A decision is told at least once: at once where that works, and otherwise when the host starts again. So an agent looks at the approval
 * itself, and acts under an idempotency key.
 */
@Injectable()
export class ApprovalDelivery implements OnApplicationBootstrap {
  constructor(
    private readonly book: ApprovalBook,
    private readonly resumer: TaskResumer,
    private readonly logger: A2aLogger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const id of await this.book.pending()) await this.deliver(id);
  }

  /** Resumes the approval's task. A failure is logged and tried again at the next start: the decision itself stands. */
  async deliver(id: string): Promise<void> {
    const approval = await this.book.find(id);
    if (!approval?.decision) return this.book.settle(id);
    try {
      await this.resumer.resume(approval.task, { metadata: { [APPROVAL_ID]: id } });
    } catch (error) {
      if (isOver(error)) return this.book.settle(id);
      this.logger.error('a decision could not be told to its task', { taskId: approval.task.taskId, error });
    }
  }
}

/** The task has ended, or is gone: there is nobody left to tell. */
function isOver(error: unknown): boolean {
  return error instanceof A2aError && (error.reason === 'TASK_NOT_FOUND' || error.reason === 'UNSUPPORTED_OPERATION');
}
