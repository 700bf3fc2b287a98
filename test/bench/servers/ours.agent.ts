import { Agent, type AgentEvent, AgentExecutor, artifact, type TurnContext } from '@a2a/a2a-core';
import { askIn, CHUNK, tick } from './stand-ins.js';

/** Room for more readers of one task than a host would let in. */
const CAPS = { blockingSends: 10_000, streamsPerTask: 10_000, streamsPerCaller: 10_000 };

/** The agent of the bench: the message says what it does. */
@Agent({ id: 'bench', name: 'Bench', description: 'Answers what it is asked', version: '1.0.0', caps: CAPS })
export class BenchAgent extends AgentExecutor {
  readonly #waiting: (() => void)[] = [];

  /** Lets the turns begin that wait for their audience. */
  go(): void {
    for (const begin of this.#waiting.splice(0)) begin();
  }

  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    const { verb, count } = askIn(turn.text);
    if (verb === 'echo') return yield turn.reply(turn.text);
    yield turn.working();
    if (verb === 'converse') return yield turn.requireInput(CHUNK);
    yield* this.#work(verb, count, turn);
    yield turn.completed();
  }

  async *#work(verb: string, count: number, turn: TurnContext): AsyncIterable<AgentEvent> {
    switch (verb) {
      case 'history':
        for (let index = 1; index < count; index++) yield turn.working(CHUNK);
        return;
      case 'fanout':
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        return yield* chunks(turn, count, () => new Promise((resolve) => setTimeout(resolve, 20)));
      case 'flood':
        return yield* chunks(turn, count);
      case 'stream':
        return yield* chunks(turn, count, tick);
      default:
        yield turn.artifact(CHUNK);
    }
  }
}

async function* chunks(turn: TurnContext, count: number, pause?: () => Promise<void>): AsyncIterable<AgentEvent> {
  for (let index = 0; index < count; index++) {
    if (pause) await pause();
    yield turn.artifactChunk(artifact(CHUNK, { artifactId: 'a' }), { append: index > 0 });
  }
}
