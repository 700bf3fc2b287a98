import { type Clock } from '../clock.js';

/** How long a call waits: until its caller has gone or its time is over. */
export class Patience {
  readonly #over: Promise<undefined>;
  #lose!: () => void;
  readonly #callOff: () => void;
  #controller?: AbortController;
  #isLost = false;

  constructor(
    clock: Clock,
    ms: number,
    private readonly caller: AbortSignal,
  ) {
    this.#over = new Promise((resolve) => {
      this.#lose = () => {
        this.#isLost = true;
        this.#controller?.abort();
        resolve(undefined);
      };
    });
    this.#callOff = clock.after(ms, this.#lose);
    if (caller.aborted) this.#lose();
    else caller.addEventListener('abort', this.#lose, { once: true });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Aborts when patience is lost; made when it is asked for. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isLost) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Resolves with what `work` gives; with undefined when patience is lost before. */
  during<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#over]);
  }

  /** Waits for nothing more; leaves no timer and no listener behind. */
  end(): void {
    this.#callOff();
    this.caller.removeEventListener('abort', this.#lose);
    this.#controller?.abort();
  }
}
