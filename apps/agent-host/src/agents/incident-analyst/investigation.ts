import { type AgentEvent, type Message, Role, type TurnContext } from '@a2a/a2a-core';
import { type Analysis, saysSomething } from './analysis/analysis.js';
import { analyze } from './analysis/analyze.js';
import { type Source } from './analysis/input/input-lines.js';
import { recallInput, rememberInput } from './input-memory.js';
import { type PartSources, sourcesOf } from './part-sources.js';
import { type Question, questionIn } from './question.js';

/** What an investigation found, and what it had to leave out. */
export interface Finding {
  readonly analysis: Analysis;
  /** Sentences on parts that could not be used. */
  readonly refused: readonly string[];
}

/**
 * Gets the input of a turn together and analyses it; every skill begins with this.
 *
 * - A message that goes on with a task is read together with what the caller said in it before.
 * - A question without logs is asked of the tasks it refers to, else of the last input of its conversation.
 * - With nothing to analyse, the turn ends in INPUT_REQUIRED and the result is undefined.
 *
 * @throws the reason of `turn.signal` once it has aborted
 */
export async function* investigate(turn: TurnContext): AsyncGenerator<AgentEvent, Finding | undefined> {
  const question = questionIn(turn.text);
  const earlier = sourcesOf(saidBefore(turn.task?.history), 'earlier message');
  const now = sourcesOf([turn.message]);
  const refused = [...earlier.refused, ...now.refused];
  const own = [...earlier.sources, ...now.sources];
  const recalled = question.isQuestion && isTextOnly(turn.message) && earlier.sources.length === 0 ? await recall(turn) : [];
  let analysis = yield* analyzed(turn, recalled.length > 0 ? recalled : own, question);
  if (recalled.length === 0 && !saysSomething(analysis)) {
    const instead = await recall(turn);
    if (instead.length === 0) return yield* askForLogs(turn, refused);
    analysis = yield* analyzed(turn, instead, question);
  } else if (recalled.length === 0) await rememberInput(turn.contextStore, own);
  return { analysis, refused };
}

async function* analyzed(turn: TurnContext, sources: readonly Source[], { focus }: Question): AsyncGenerator<AgentEvent, Analysis> {
  const steps = analyze(sources, { signal: turn.signal, focus });
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    yield turn.working(step.value.text);
  }
}

/** The input a question may be about: that of the tasks it refers to, else the last one of the conversation. */
async function recall(turn: TurnContext): Promise<readonly Source[]> {
  const tasks = await turn.referencedTasks();
  const { sources }: PartSources = sourcesOf(tasks.flatMap(({ history }) => saidBefore(history)));
  return sources.length > 0 ? sources : await recallInput(turn.contextStore);
}

async function* askForLogs(turn: TurnContext, refused: readonly string[]): AsyncGenerator<AgentEvent, undefined> {
  const ask =
    'I found nothing to analyse. Please send the failure report or the logs: as text, as an inline file (raw), or as JSON (data). ' +
    'I read syslog, web access and error logs, JSON lines, logfmt, application logs, Java, Python, Node.js and Go stack traces, ' +
    'Kubernetes events, and plain words that say what does not work and since when.';
  yield turn.requireInput([...refused, ask].join('\n'));
  return undefined;
}

function saidBefore(history: readonly Message[] | undefined): readonly Message[] {
  return history?.filter(({ role }) => role === Role.USER) ?? [];
}

function isTextOnly({ parts }: Message): boolean {
  return parts.every(({ content }) => content.case === 'text');
}
