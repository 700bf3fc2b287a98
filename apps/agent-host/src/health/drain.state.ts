import { Injectable } from '@nestjs/common';

/** Whether this host is on its way out. Set once, by the first signal, before anything is closed. */
@Injectable()
export class DrainState {
  #draining = false;

  get isDraining(): boolean {
    return this.#draining;
  }

  begin(): void {
    this.#draining = true;
  }
}
