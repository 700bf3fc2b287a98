import { randomUUID } from 'node:crypto';
import { isMessage, type JsonValue } from '@bufbuild/protobuf';
import { type AgentEvent } from '../protocol/events.js';
import { artifact, dataPart } from '../protocol/messages.js';
import { splitTrailingHalf } from '../protocol/well-formed.js';
import { type TurnContext } from './turn-context.js';

/**
 * Turns whatever a skill returns or yields into events; the table is in the doc comment of `Skill`.
 *
 * @throws {TypeError} for a value that is no event, text or JSON
 */
export async function* toEvents(result: unknown, turn: TurnContext): AsyncGenerator<AgentEvent> {
  if (isIterable(result)) yield* fromIterator(iteratorOf(result), turn);
  else yield* fromValue(result, turn);
}

async function* fromValue(value: unknown, turn: TurnContext): AsyncGenerator<AgentEvent> {
  if (value === undefined || value === null) return;
  if (typeof value === 'string') yield turn.task ? turn.completed(value) : turn.reply(value);
  else if (isAgentEvent(value)) yield value;
  else yield turn.artifact(dataPart(toJson(value)));
}

/** Strings become chunks of one artifact; events pass; what the generator returns counts as its last event. */
async function* fromIterator(values: AsyncIterator<unknown>, turn: TurnContext): AsyncGenerator<AgentEvent> {
  const text = new StreamedText(turn);
  let finished = false;
  try {
    for (let next = values.next(); ;) {
      const result = text.isHolding ? await orTick(next) : await next;
      if (result === TICK) {
        yield* text.release();
        continue;
      }
      if (result.done) {
        finished = true;
        yield* text.finish();
        yield* typeof result.value === 'string' ? [turn.completed(result.value)] : fromValue(result.value, turn);
        return;
      }
      if (typeof result.value === 'string') yield* text.add(result.value);
      else {
        yield* text.release();
        yield* fromValue(result.value, turn);
      }
      next = values.next();
    }
  } finally {
    if (!finished) await values.return?.();
  }
}

/**
 * One artifact, streamed. The newest chunk is held back for a tick of the event loop, so that the last one can say that it is; so is half
 * a character, which a model's tokens like to end with, until the other half comes.
 */
class StreamedText {
  readonly #artifactId = randomUUID();
  #held?: string;
  #half = '';
  #started = false;

  constructor(private readonly turn: TurnContext) {}

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  *add(text: string): Generator<AgentEvent> {
    yield* this.release();
    const [whole, half] = splitTrailingHalf(this.#half + text);
    this.#half = half;
    if (whole !== '' || half === '') this.#held = whole;
  }

  *release(): Generator<AgentEvent> {
    if (this.#held !== undefined) yield this.#chunk(this.#held, false);
    this.#held = undefined;
  }

  *finish(): Generator<AgentEvent> {
    if (this.#half !== '') this.#held = (this.#held ?? '') + this.#half;
    if (this.#held !== undefined || this.#started) yield this.#chunk(this.#held ?? '', true);
    this.#held = undefined;
  }

  #chunk(text: string, lastChunk: boolean): AgentEvent {
    const event = this.turn.artifactChunk(artifact(text, { artifactId: this.#artifactId }), { append: this.#started, lastChunk });
    this.#started = true;
    return event;
  }
}

const TICK = Symbol('tick');

async function orTick<T>(next: Promise<T>): Promise<T | typeof TICK> {
  let tick: NodeJS.Immediate | undefined;
  const ticked = new Promise<typeof TICK>((resolve) => (tick = setImmediate(resolve, TICK)));
  try {
    return await Promise.race([next, ticked]);
  } finally {
    clearImmediate(tick);
  }
}

const EVENT_TYPES: ReadonlySet<string> = new Set([
  'lf.a2a.v1.Message',
  'lf.a2a.v1.TaskStatusUpdateEvent',
  'lf.a2a.v1.TaskArtifactUpdateEvent',
]);

function isAgentEvent(value: unknown): value is AgentEvent {
  return isMessage(value) && EVENT_TYPES.has(value.$typeName);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterator<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Symbol.asyncIterator in value || (Symbol.iterator in value && 'next' in value);
}

function iteratorOf(value: AsyncIterable<unknown> | Iterator<unknown>): AsyncIterator<unknown> {
  if (Symbol.asyncIterator in value) return value[Symbol.asyncIterator]();
  return {
    next: async () => value.next(),
    return: async () => value.return?.() ?? { done: true, value: undefined },
  };
}

function toJson(value: unknown): JsonValue {
  const json = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`A skill gave a ${typeof value}, which is neither text, JSON nor an event`);
  return JSON.parse(json) as JsonValue;
}
