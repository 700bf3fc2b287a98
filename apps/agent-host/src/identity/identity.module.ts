import { Module } from '@nestjs/common';
import { JwksController } from './jwks.controller.js';
import { KeyReload } from './key-reload.js';
import { ProtectedResourceController } from './protected-resource.controller.js';

/** What the host publishes of its own identity, and what operators do. Who calls is `A2aAuthModule`'s matter, which the core gets as `auth`. */
@Module({ controllers: [JwksController, ProtectedResourceController], providers: [KeyReload] })
export class IdentityModule {}
