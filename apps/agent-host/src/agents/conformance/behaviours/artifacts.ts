import { artifact, type Content, type Part, textPart } from '@a2a/a2a-core';
import { type Behaviour } from '../behaviour.js';

/** One whole artifact, COMPLETED. */
export function makes(content: Content): Behaviour {
  return async function* (turn) {
    yield turn.artifact(content);
    yield turn.completed();
  };
}

/** WORKING, one whole artifact, COMPLETED. */
export function worksAndMakes(content: Content): Behaviour {
  return async function* (turn) {
    yield turn.working();
    yield turn.artifact(content);
    yield turn.completed();
  };
}

/** One artifact of `parts` text parts with `characters` each. */
export function makesBig({ parts, characters }: { readonly parts: number; readonly characters: number }): Behaviour {
  return makes(Array.from({ length: Math.max(parts, 1) }, (): Part => textPart('x'.repeat(Math.max(characters, 1)))));
}

/** How an artifact is streamed. */
export interface Chunking {
  readonly chunks: number;
  /** Least length of a chunk; it is at least long enough for its number. */
  readonly characters: number;
  /** Pause between chunks, milliseconds. 0 is none: the next chunk follows in the same tick of the clock. */
  readonly everyMs: number;
}

/** WORKING, one artifact in chunks, each beginning with its number (from 0) and a colon, COMPLETED. */
export function streams({ chunks, characters, everyMs }: Chunking): Behaviour {
  return async function* (turn, { clock }) {
    yield turn.working();
    const { artifactId } = artifact('');
    for (let i = 0; i < chunks; i++) {
      if (everyMs > 0 && i > 0) await clock.sleep(everyMs, turn.signal);
      const chunk = artifact(`${i}:`.padEnd(characters, '.'), { artifactId });
      yield turn.artifactChunk(chunk, { append: i > 0, lastChunk: i === chunks - 1 });
    }
    yield turn.completed();
  };
}
