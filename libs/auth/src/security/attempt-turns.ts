/** Ends a turn. Later calls of one function do nothing. */
export type EndTurn = () => void;

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Lets a number of attempts under one key go on at once; the others wait for their turn, in the order they came. */
export class AttemptTurns {
  readonly #lines = new Map<string, Line>();

  /**
   * @param atOnce how many may go on at once under a key right now, at least 1
   * @param longestWaitMs after which an attempt gets no turn: two calls that hold a turn each may wait for one another's
   */
  constructor(
    private readonly atOnce: (key: string) => number,
    private readonly longestWaitMs: number,
  ) {}

  /** Undefined when none came in time. */
  async take(key: string): Promise<EndTurn | undefined> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.running < this.atOnce(key)) line.running += 1;
    else if (!(await this.#comes(line))) return undefined;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      line.running -= 1;
      this.#next(key, line);
    };
  }

  #comes(line: Line): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        line.waiting.delete(begin);
        resolve(false);
      }, this.longestWaitMs);
      line.waiting.add(begin);
    });
  }

  #next(key: string, line: Line): void {
    for (const begin of line.waiting) {
      if (line.running >= this.atOnce(key)) break;
      line.waiting.delete(begin);
      line.running += 1;
      begin();
    }
    if (line.running === 0) this.#lines.delete(key);
  }
}
