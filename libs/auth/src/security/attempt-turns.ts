/** Ends a turn. Later calls of one function do nothing. */
export type EndTurn = () => void;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets a number of attempts under one key go on at once; the others wait for their turn, in the order they came. */
export class AttemptTurns {
  readonly #lines = new Map<string, Line>();

  /** @param atOnce how many may go on at once under a key right now, at least 1 */
  constructor(private readonly atOnce: (key: string) => number) {}

  async take(key: string): Promise<EndTurn> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.atOnce(key)) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      line.running -= 1;
      this.#next(key, line);
    };
  }

  #next(key: string, line: Line): void {
    while (line.waiting.length > 0 && line.running < this.atOnce(key)) {
      line.running += 1;
      line.waiting.shift()?.();
    }
    if (line.running === 0) this.#lines.delete(key);
  }
}
