/** Arguments of a command that ask for nothing, or for two things. The message says which, and all that there is. */
export class UsageError extends Error {
  /** @param problem without a full stop */
  constructor(problem: string, usage: string) {
    super(`${problem}.\n\n${usage}`);
    this.name = 'UsageError';
  }
}
