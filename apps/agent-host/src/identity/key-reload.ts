import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { A2aLogger } from '@a2a/a2a-core';
import { IdentityProviders } from '@a2a/auth';

/**
 * Forgets the keys of all identity providers on SIGHUP and fetches them again: for a key that must die now, and not when its ten minutes
 * are over. Tokens signed with it are refused from then on.
 */
@Injectable()
export class KeyReload implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #onSignal = (): void => void this.#reload();

  constructor(
    private readonly providers: IdentityProviders,
    private readonly logger: A2aLogger,
  ) {}

  onApplicationBootstrap(): void {
    process.on('SIGHUP', this.#onSignal);
  }

  onModuleDestroy(): void {
    process.off('SIGHUP', this.#onSignal);
  }

  async #reload(): Promise<void> {
    try {
      await this.providers.reloadKeys();
      this.logger.info('Keys of identity providers were fetched again');
    } catch (error) {
      this.logger.error('Not all identity providers gave their keys; their old keys are forgotten all the same', { error });
    }
  }
}
