import { type Server } from 'node:http';
import { type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { connectA2aGrpc } from '@a2a/a2a-bindings';
import { AppModule } from './app.module.js';
import { type HostConfig, readHostConfig } from './config/host.config.js';
import { exposureWarning } from './front-door/exposure.warning.js';
import { FrontDoor } from './front-door/front-door.js';
import { grpcOptions } from './front-door/grpc.options.js';
import { reloadTlsOnHangUp } from './front-door/tls.reload.js';
import { logCrashes } from './lifecycle/crash.log.js';
import { stopGracefully } from './lifecycle/graceful-stop.js';
import { createHttpAdapter } from './lifecycle/http.adapter.js';
import { explainStartFailure } from './lifecycle/start-failure.js';
import { logGrpcTo } from './logging/grpc.logging.js';
import { HostLogger } from './logging/host.logger.js';
import { NestLoggerService } from './logging/nest-logger.service.js';

let config: HostConfig | undefined;
try {
  config = readHostConfig(process.env);
  await start(config);
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, config)}\n`);
  process.exit(1);
}

async function start(host: HostConfig): Promise<void> {
  const logger = new HostLogger(host.logLevel);
  logCrashes(logger);
  logGrpcTo(logger);
  const door = new FrontDoor(host.frontDoor, host.publicUrl.startsWith('https:'));
  const adapter = createHttpAdapter(host.httpAdapter, door);
  const app = await NestFactory.create<INestApplication<Server>>(AppModule.forRoot(host, logger), adapter, {
    logger: new NestLoggerService(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const grpc = connectA2aGrpc(app, grpcOptions(host));
  stopGracefully(app, host.drainTimeoutMs);
  if (host.frontDoor.tls) reloadTlsOnHangUp([door, grpc], logger);
  await app.startAllMicroservices();
  await app.listen(host.port, host.host);
  const warning = exposureWarning(host);
  if (warning) logger.warn(warning);
  logger.info('Ready', { http: host.publicUrl, grpc: host.publicGrpc, defaultAgent: host.defaultAgent });
}
