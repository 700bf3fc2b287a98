import { Module } from '@nestjs/common';
import { JwksController } from './jwks.controller.js';

/** What the host publishes of its own identity. Who calls is `A2aAuthModule`'s matter, which the core gets as `auth`. */
@Module({ controllers: [JwksController] })
export class IdentityModule {}
