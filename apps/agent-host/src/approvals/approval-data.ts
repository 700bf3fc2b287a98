import { type TaskDataHolder, type TaskScope } from '@a2a/a2a-core';
import { type ApprovalBook } from './approval-book.js';

/** Approvals go with their tasks. */
export class ApprovalData implements TaskDataHolder {
  readonly name = 'approvals';

  constructor(private readonly book: ApprovalBook) {}

  async deleteOf(scope: TaskScope, taskIds: readonly string[]): Promise<number> {
    let deleted = 0;
    for (const taskId of taskIds) deleted += await this.book.forget({ scope, taskId });
    return deleted;
  }
}
