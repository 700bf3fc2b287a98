import { readFileSync } from 'node:fs';
import { type z } from 'zod';
import { ConfigError } from '../config/host.config.js';
import { type SecurityFile, securitySchema } from './security.schema.js';

/**
 * Reads and checks the security file.
 *
 * @throws {ConfigError} naming each wrong member by its path, and no value: any of them may be a secret in the wrong place
 */
export function readSecurityFile(path: string): SecurityFile {
  const parsed = securitySchema.safeParse(parse(readText(path), path));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.flatMap(innermost).map((issue) => `${path}: ${describe(issue)}`));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'not readable' } = error as NodeJS.ErrnoException;
    throw new ConfigError([`A2A_SECURITY_FILE is ${JSON.stringify(path)}, which cannot be read (${code}). Correct the path, or unset it.`]);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError([`${path}: this is not JSON. Check it with: node -p 'JSON.parse(fs.readFileSync("${path}"))'`]);
  }
}

type Issue = z.core.$ZodIssue;

/** Of a union, what is wrong with the alternative that was meant: the one that matched furthest. */
function innermost(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const nested = issue.errors.map((alternative) => alternative.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  const depthOf = (issues: readonly Issue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));
  const [best = []] = nested.toSorted((left, right) => depthOf(right) - depthOf(left) || left.length - right.length);
  return best.flatMap(innermost);
}

function describe(issue: Issue): string {
  const path = formatPath(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${path} has ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}, which means nothing here. Correct the spelling or remove it.`;
    case 'invalid_union':
      return `${path} must be one of the kinds that docs/identity.md lists.`;
    default:
      return `${path}: ${issue.message}.`;
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}
