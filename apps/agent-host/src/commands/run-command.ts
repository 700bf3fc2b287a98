import { type HostConfig, readHostConfig } from '../config/host.config.js';
import { explainStartFailure } from '../lifecycle/start-failure.js';

/**
 * Runs a command on the host's settings. What goes wrong is said on standard error, without a stack and without a credential, and the process
 * ends with 1.
 *
 * @param cannot begins that sentence, such as `The data cannot be deleted`
 * @param read the arguments, before the settings are looked at
 */
export async function runCommand<R>(cannot: string, read: () => R, run: (request: R, config: HostConfig) => Promise<void>): Promise<void> {
  let config: HostConfig | undefined;
  try {
    const request = read();
    config = readHostConfig(process.env);
    await run(request, config);
  } catch (error) {
    process.stderr.write(`${explainStartFailure(error, config, cannot)}\n`);
    process.exit(1);
  }
}
