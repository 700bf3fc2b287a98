import { type HostConfig, readHostConfig } from './config/host.config.js';
import { explainStartFailure } from './lifecycle/start-failure.js';
import { HostLogger } from './logging/host.logger.js';
import { deleteData, describeCounts } from './privacy/data-deletion.command.js';
import { parseDeletionRequest } from './privacy/deletion.arguments.js';

/** Deletes data of a caller on request. The record of it goes to standard output, as a line of the host's log would. */
let config: HostConfig | undefined;
try {
  const request = parseDeletionRequest(process.argv.slice(2));
  config = readHostConfig(process.env);
  const counts = await deleteData(request, config, new HostLogger('info'));
  process.stderr.write(`Deleted: ${describeCounts(counts)}.\n`);
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, config, 'The data cannot be deleted')}\n`);
  process.exit(1);
}
