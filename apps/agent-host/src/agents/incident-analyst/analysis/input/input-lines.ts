import { type Pacer } from '../pacer.js';
import { printable } from './printable.js';
import { MATCHED_LENGTH, type TextLines } from './text-lines.js';

/** One piece of the input: a text part, a file, a data part. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

export interface SourceRange {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Look-ahead that one reading may spend, as a multiple of the input's length. */
const LOOK_AHEAD_FACTOR = 4;

/**
 * The input as numbered lines; every citation of an analysis is a number of these.
 *
 * - Several sources follow one another: the second starts at the line after the last of the first.
 * - Terminal colours, NULs and other control characters are gone, CRLF is a line break, trailing blanks are cut.
 */
export class InputLines implements TextLines {
  readonly #lines: string[] = [];
  readonly #sources: SourceRange[] = [];
  #characters = 0;
  #longLines = 0;
  #lookedAhead = 0;

  static async read(sources: readonly Source[], pacer: Pacer): Promise<InputLines> {
    const lines = new InputLines();
    for (const source of sources) await lines.#add(source, pacer);
    return lines;
  }

  get count(): number {
    return this.#lines.length;
  }

  get characters(): number {
    return this.#characters;
  }

  /** Lines longer than patterns look at. */
  get longLines(): number {
    return this.#longLines;
  }

  get sources(): readonly SourceRange[] {
    return this.#sources;
  }

  text(index: number): string {
    const line = this.full(index);
    return line.length > MATCHED_LENGTH ? line.slice(0, MATCHED_LENGTH) : line;
  }

  full(index: number): string {
    return this.#lines[index - 1] ?? '';
  }

  number(index: number): number {
    return index;
  }

  mayLookAhead(characters: number): boolean {
    this.#lookedAhead += characters;
    return this.#lookedAhead <= LOOK_AHEAD_FACTOR * this.#characters;
  }

  async #add({ name, text }: Source, pacer: Pacer): Promise<void> {
    const from = this.count + 1;
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      const line = printable(text.slice(start, end).trimEnd()).trimEnd();
      this.#lines.push(line);
      this.#characters += line.length + 1;
      if (line.length > MATCHED_LENGTH) this.#longLines += 1;
      if (pacer.spend(end - start + 1)) await pacer.pause();
      start = end + 1;
    }
    if (this.count >= from) this.#sources.push({ name, from, to: this.count });
  }
}
