import { Module } from '@nestjs/common';
import { JwksController } from './jwks.controller.js';
import { KeyReload } from './key-reload.js';

/** What the host publishes of its own identity, and what operators do. Who calls is `A2aAuthModule`'s matter, which the core gets as `auth`. */
@Module({ controllers: [JwksController], providers: [KeyReload] })
export class IdentityModule {}
