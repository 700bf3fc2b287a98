import { runMigrations } from '@a2a/a2a-store';
import { runCommand } from './commands/run-command.js';

/** Brings the tables of DATABASE_URL up to date, for deployments that do this as a step of its own. A starting host does it too. */
await runCommand(
  'The tables cannot be brought up to date',
  () => undefined,
  async (_, { databaseUrl }) => {
    if (databaseUrl === 'memory:') throw new Error('memory has no tables. Set DATABASE_URL.');
    await runMigrations(databaseUrl);
    process.stdout.write('The tables are up to date.\n');
  },
);
