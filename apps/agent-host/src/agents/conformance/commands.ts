import { type Behaviour } from './behaviour.js';
import { makesBig, streams, worksAndMakes } from './behaviours/artifacts.js';
import { answers, completes } from './behaviours/endings.js';
import { counts, tellsReferences, tellsWhereItRuns, tellsWhoCalls } from './behaviours/facts.js';
import { BAD, throws } from './behaviours/faults.js';
import { asks, asksForApproval, goesOnWhenApproved, hearsDenial, makesArtifactOfAnswer } from './behaviours/questions.js';
import { detachesFor, worksFor, worksStubbornlyFor } from './behaviours/waits.js';
import { BadArgument, type CommandLine } from './command-line.js';

const MAX_MS = 600_000;
const MAX_CHUNKS = 1_000_000;
const MAX_BYTES = 1_000_000;
const MAX_PARTS = 100;

type Command = (line: CommandLine) => Behaviour;

/** What a text part `/name key=value …` makes the agent do. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['echo', (line) => answers(line.rest)],
  ['task', () => worksAndMakes('ok')],
  ['stream', (line) => streams(chunkingOf(line, 100))],
  ['burst', (line) => streams({ ...chunkingOf(line, 5_000), everyMs: 0 })],
  ['sleep', (line) => worksFor(msOf(line))],
  ['stubborn', (line) => worksStubbornlyFor(msOf(line))],
  ['detached', (line) => detachesFor(msOf(line))],
  ['ask', () => asks('What shall the artifact say?')],
  ['auth', () => asksForApproval],
  ['throw', (line) => throws({ afterArtifact: line.word('when', 'before') === 'after' })],
  ['bad', (line) => badOf(line.word('kind', 'message-after-task'))],
  ['big', (line) => makesBig({ parts: line.number('parts', 10, MAX_PARTS), characters: line.number('bytes', 100_000, MAX_BYTES) })],
  ['whoami', () => tellsWhoCalls],
  ['pid', () => tellsWhereItRuns],
  ['references', () => tellsReferences],
  ['count', (line) => counts(keyOf(line), line.word('in', 'caller') === 'context' ? 'context' : 'caller')],
]);

/** What the next message does while a command's question is open. */
export const FOLLOW_UPS: ReadonlyMap<string, Behaviour> = new Map([
  ['ask', makesArtifactOfAnswer],
  ['auth', hearsDenial],
]);

/** What a command does when its task goes on without a message. */
export const RESUMPTIONS: ReadonlyMap<string, Behaviour> = new Map([
  ['auth', goesOnWhenApproved],
  ['detached', completes('Done from a timer')],
]);

function msOf(line: CommandLine): number {
  return line.number('ms', 2_000, MAX_MS);
}

function chunkingOf(line: CommandLine, chunks: number): { chunks: number; characters: number; everyMs: number } {
  return {
    chunks: line.number('n', chunks, MAX_CHUNKS),
    characters: line.number('bytes', 200, MAX_BYTES),
    everyMs: line.number('every', 0, MAX_MS),
  };
}

function keyOf(line: CommandLine): string {
  const key = line.word('key', 'default');
  if (!/^[\w.:-]{1,64}$/.test(key)) throw new BadArgument('key must be 1 to 64 letters, digits, "_", ".", ":" or "-"');
  return key;
}

function badOf(kind: string): Behaviour {
  const bad = Object.hasOwn(BAD, kind) ? BAD[kind] : undefined;
  if (!bad) throw new BadArgument(`kind must be one of ${Object.keys(BAD).join(', ')}`);
  return bad;
}
