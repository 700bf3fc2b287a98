import { Injectable } from '@nestjs/common';
import { type TaskScope, TaskRepository } from '@a2a/a2a-core';

/** Belongs to no agent, so nothing is ever found in it. */
const NOBODY: TaskScope = { agentId: '', tenant: '', owner: '' };

/** Longest a healthy store takes for one lookup. */
const TIMEOUT_MS = 2_000;

/** Asks the store a real question, the same way a call would. */
@Injectable()
export class StoreProbe {
  constructor(private readonly tasks: TaskRepository) {}

  /** @throws when the store does not answer within two seconds, or answers with an error */
  async check(): Promise<void> {
    const answer = this.tasks.find(NOBODY, 'health');
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The store did not answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    });
    await Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
  }
}
