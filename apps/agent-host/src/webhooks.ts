import { runCommand } from './commands/run-command.js';
import { HostLogger } from './logging/host.logger.js';
import { parseWebhookRequest } from './webhooks/webhook.arguments.js';
import { runWebhooks } from './webhooks/webhook.command.js';

/**
 * For operators: lists, replays or drops webhooks that are in trouble.
 *
 * A list goes to standard output. Of a change, the records for the audit trail go there, as lines of the host's log would; what is said of it
 * goes to standard error.
 */
await runCommand(
  'The webhooks cannot be seen to',
  () => parseWebhookRequest(process.argv.slice(2)),
  async (request, config) => {
    const said = await runWebhooks(request, config, new HostLogger('info'));
    (request.verb === 'list' ? process.stdout : process.stderr).write(said);
  },
);
