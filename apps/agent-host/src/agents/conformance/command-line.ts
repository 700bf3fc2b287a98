const COMMAND = /^\/([a-z]+)(?:\s+([\s\S]*))?$/;

/** The sender's mistake; its text is for the sender. */
export class BadArgument extends Error {}

/** A text such as `/stream n=100 bytes=200`. */
export class CommandLine {
  readonly #options: ReadonlyMap<string, string>;

  private constructor(
    readonly name: string,
    /** All behind the name, as written. */
    readonly rest: string,
  ) {
    const pairs = rest.split(/\s+/).map((word) => word.split(/=(.*)/s, 2) as [string, string?]);
    this.#options = new Map(pairs.map(([key, value]) => [key, value ?? '']));
  }

  /** Undefined for a text that is no command. */
  static parse(text: string): CommandLine | undefined {
    const [, name, rest = ''] = COMMAND.exec(text) ?? [];
    return name === undefined ? undefined : new CommandLine(name, rest);
  }

  word(key: string, fallback: string): string {
    return this.#options.get(key) || fallback;
  }

  /** @throws {BadArgument} when it is no whole number from 0 to `max`; the agent is open, so every size has an end */
  number(key: string, fallback: number, max: number): number {
    const text = this.word(key, String(fallback));
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value <= max)) throw new BadArgument(`${key} must be a whole number from 0 to ${max}`);
    return value;
  }
}
