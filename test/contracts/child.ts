import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** Runs a TypeScript file of this folder in a process of its own. Its errors go where ours go. */
export function startChild(file: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', path.join(HERE, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: path.join(HERE, '..', '..'),
  });
}
