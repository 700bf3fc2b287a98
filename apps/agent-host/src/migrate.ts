import { runMigrations } from '@a2a/a2a-store';
import { type HostConfig, readHostConfig } from './config/host.config.js';
import { explainStartFailure } from './lifecycle/start-failure.js';

/** Brings the tables of DATABASE_URL up to date, for deployments that do this as a step of its own. A starting host does it too. */
let config: HostConfig | undefined;
try {
  config = readHostConfig(process.env);
  if (config.databaseUrl === 'memory:') throw new Error('memory has no tables. Set DATABASE_URL.');
  await runMigrations(config.databaseUrl);
  process.stdout.write('The tables are up to date.\n');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, config, 'The tables cannot be brought up to date')}\n`);
  process.exit(1);
}
