import { isInterrupted, Role, textOf, type TurnContext } from '@a2a/a2a-core';
import { type Behaviour } from './behaviour.js';
import { completes, rejects } from './behaviours/endings.js';
import { BadArgument, CommandLine } from './command-line.js';
import { COMMANDS, FOLLOW_UPS, RESUMPTIONS } from './commands.js';
import { findKitBehaviour } from './kit.js';

const DEFAULT = completes('Hello from the conformance agent');

/** What this turn is to do: as its messageId says, as its text says, as an earlier question wants it, or just complete. */
export function routeOf(turn: TurnContext): Behaviour {
  if (turn.resumed) return RESUMPTIONS.get(lastCommandOf(turn)?.name ?? '') ?? DEFAULT;
  return findKitBehaviour(turn.message.messageId) ?? behaviourOfText(turn) ?? behaviourOfAnswer(turn) ?? DEFAULT;
}

function behaviourOfText(turn: TurnContext): Behaviour | undefined {
  const line = CommandLine.parse(turn.text);
  try {
    return line && COMMANDS.get(line.name)?.(line);
  } catch (error) {
    if (error instanceof BadArgument) return rejects(error.message);
    throw error;
  }
}

function behaviourOfAnswer(turn: TurnContext): Behaviour | undefined {
  if (!isInterrupted(turn.task?.status?.state)) return undefined;
  return FOLLOW_UPS.get(lastCommandOf(turn)?.name ?? '');
}

/** The latest command that the client gave on this task. */
function lastCommandOf(turn: TurnContext): CommandLine | undefined {
  const said = [...(turn.task?.history ?? []), turn.message].filter(({ role }) => role === Role.USER);
  return said.map((message) => CommandLine.parse(textOf(message))).findLast((line) => line !== undefined);
}
