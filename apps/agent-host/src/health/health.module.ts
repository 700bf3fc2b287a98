import { Module } from '@nestjs/common';
import { DrainState } from './drain.state.js';
import { HealthController } from './health.controller.js';
import { StoreProbe } from './store.probe.js';

/** `GET /health/live` and `GET /health/ready`. */
@Module({ controllers: [HealthController], providers: [DrainState, StoreProbe], exports: [DrainState] })
export class HealthModule {}
