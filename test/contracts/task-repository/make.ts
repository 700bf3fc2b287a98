import { type TaskRepository } from '@a2a/a2a-core';

export interface TaskRepositoryOptions {
  /** 0: a message id is forgotten at once. Default: the store's own. */
  readonly receiptTtlMs?: number;
}

export type MakeTaskRepository = (options?: TaskRepositoryOptions) => Promise<TaskRepository>;
