import { type Clock } from '../clock.js';

/** How long a call waits: until its caller has gone or its time is over. */
export class Patience {
  readonly #over: Promise<void>;
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
        resolve();
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

  /** Resolves when `work` is done or patience is lost. */
  async during(work: Promise<unknown>): Promise<void> {
    await Promise.race([work, this.#over]);
  }

  /** Waits for nothing more; leaves no timer and no listener behind. */
  end(): void {
    this.#callOff();
    this.caller.removeEventListener('abort', this.#lose);
    this.#controller?.abort();
  }
}
