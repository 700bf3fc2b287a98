import { runCommand } from './commands/run-command.js';
import { HostLogger } from './logging/host.logger.js';
import { deleteData, describeCounts } from './privacy/data-deletion.command.js';
import { parseDeletionRequest } from './privacy/deletion.arguments.js';

/** Deletes data of a caller on request. The record of it goes to standard output, as a line of the host's log would. */
await runCommand(
  'The data cannot be deleted',
  () => parseDeletionRequest(process.argv.slice(2)),
  async (request, config) => {
    const counts = await deleteData(request, config, new HostLogger('info'));
    process.stderr.write(`Deleted: ${describeCounts(counts)}.\n`);
  },
);
