import { openStore } from '@a2a/a2a-store';
import { creation, growth } from './task-changes.js';

/**
 * Commits to the store of `argv[2]` without end, in many tasks at once, and writes a line for each commit that was acknowledged. Ends only
 * when it is killed.
 */
async function main(url: string): Promise<void> {
  const { tasks } = await openStore({ url });
  const scope = { agentId: 'agent', tenant: 'acme', owner: 'ada' };
  const write = async (taskId: string): Promise<void> => {
    await tasks.commit(scope, creation(taskId), 0);
    for (let version = 1; ; version++) {
      process.stdout.write(`${taskId} ${version}\n`);
      await tasks.commit(scope, growth(taskId, version, [`${taskId} ${version + 1}`]), version);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => write(`task-${index}`)));
}

void main(process.argv[2] ?? '');
