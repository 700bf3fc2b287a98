import { UnavailableError } from '@a2a/a2a-core';

/** Most changes of one statement. */
const LARGEST_GROUP = 128;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects what comes while a group is on its way, and sends it as the next group: the busier, the larger.
 *
 * - One group is on its way at a time.
 * - Items that share a key are in different groups, in the order they came.
 * - When the database refuses a group of several, each is tried again alone, so that only the culprit fails.
 */
export class GroupCommit<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param keysOf what must not be twice in a group
   * @param send results in the order of the items; a failure must have changed nothing
   */
  constructor(
    private readonly keysOf: (item: Item) => readonly string[],
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
  ) {}

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, keys: this.keysOf(item), resolve, reject });
      this.#running ??= this.#drain().finally(() => (this.#running = undefined));
    });
  }

  /** Resolves when nothing is on its way any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise(setImmediate);
      await this.#transmit(this.#takeGroup());
    }
  }

  async #transmit(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.send(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (group.length > 1 && !(error instanceof UnavailableError)) for (const one of group) await this.#transmit([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  #takeGroup(): Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    const seen = new Set<string>();
    let index = 0;
    for (; index < this.#waiting.length && group.length < LARGEST_GROUP; index++) {
      const one = this.#waiting[index];
      if (!one) continue;
      (one.keys.some((key) => seen.has(key)) ? later : group).push(one);
      for (const key of one.keys) seen.add(key);
    }
    this.#waiting = [...later, ...this.#waiting.slice(index)];
    return group;
  }
}
