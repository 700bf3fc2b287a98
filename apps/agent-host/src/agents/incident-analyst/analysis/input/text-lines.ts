/** Characters of a line that patterns look at. A longer line is read as JSON in full, and otherwise by its beginning. */
export const MATCHED_LENGTH = 4_096;

/**
 * Lines as a parser sees them, counted from 1. The same parsers read the whole input, a stack trace inside a JSON field, and the
 * messages of a syslog stream, because each of these can be shown as lines.
 */
export interface TextLines {
  readonly count: number;
  /** The beginning of a line, at most `MATCHED_LENGTH` characters; empty beyond the end. */
  text(index: number): string;
  /** The whole line. */
  full(index: number): string;
  /** The line of the input that this line stands on. */
  number(index: number): number;
  /** Asks to read `characters` beyond the line at hand. False when the budget that keeps the whole reading linear is used up. */
  mayLookAhead(characters: number): boolean;
}

/** Some texts as lines, on input lines that the caller names. */
export class LineList implements TextLines {
  constructor(
    private readonly texts: readonly string[],
    private readonly numberOf: (index: number) => number,
  ) {}

  get count(): number {
    return this.texts.length;
  }

  text(index: number): string {
    return this.full(index).slice(0, MATCHED_LENGTH);
  }

  full(index: number): string {
    return this.texts[index - 1] ?? '';
  }

  number(index: number): number {
    return this.numberOf(index);
  }

  mayLookAhead(): boolean {
    return true;
  }
}
