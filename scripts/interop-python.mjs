// Installs the official Python client into a virtual environment under the temporary directory and runs its interop tests.
// Needs python3 with venv, and the Python package index.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOME = join(tmpdir(), 'a2a-nest-python');
const PYTHON = join(HOME, 'bin', 'python');

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(PYTHON)) run('python3', '-m', 'venv', HOME);
run(PYTHON, '-m', 'pip', 'install', '--quiet', '--requirement', 'test/interop/python/requirements.txt');
run('npx', 'jest', 'test/interop/python-sdk.spec.ts');
