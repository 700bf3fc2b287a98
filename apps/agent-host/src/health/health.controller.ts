import { Controller, Get, Header, ServiceUnavailableException } from '@nestjs/common';
import { A2aLogger } from '@a2a/a2a-core';
import { DrainState } from './drain.state.js';
import { StoreProbe } from './store.probe.js';

/** What an orchestrator asks. Answers are for everybody, so they name a state and no cause; the cause is in the log. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly drain: DrainState,
    private readonly store: StoreProbe,
    private readonly logger: A2aLogger,
  ) {}

  /** The process runs and its event loop turns. Restart it when this fails. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): object {
    return { status: 'live' };
  }

  /** The host can take a call now. Send it none while this fails. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<object> {
    if (this.drain.isDraining) throw new ServiceUnavailableException({ status: 'draining' });
    try {
      await this.store.check();
    } catch (error) {
      this.logger.warn('Not ready: the store does not answer', { error });
      throw new ServiceUnavailableException({ status: 'store unavailable' });
    }
    return { status: 'ready' };
  }
}
