import { describeAtomicCommits } from './task-repository/commits.contract.js';
import { describeIsolation } from './task-repository/isolation.contract.js';
import { describeLists } from './task-repository/lists.contract.js';
import { describeLogs } from './task-repository/logs.contract.js';
import { describeReceipts } from './task-repository/receipts.contract.js';
import { describeRemoval } from './task-repository/removal.contract.js';
import { describeRunners } from './task-repository/runners.contract.js';
import { type MakeTaskRepository } from './task-repository/make.js';

/**
 * What every TaskRepository promises. A new store calls this from a spec of its own.
 *
 * @param make gives a repository, opened on the same empty store for the whole suite or on one of its own for each call
 */
export function taskRepositoryContract(name: string, make: MakeTaskRepository): void {
  describe(`${name} as a TaskRepository`, () => {
    describeAtomicCommits(make);
    describeLogs(make);
    describeLists(make);
    describeReceipts(make);
    describeRunners(make);
    describeIsolation(make);
    describeRemoval(make);
  });
}
