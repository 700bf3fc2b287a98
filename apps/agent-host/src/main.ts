import { type Server } from 'node:http';
import { type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { connectA2aGrpc } from '@a2a/a2a-bindings';
import { AppModule } from './app.module.js';
import { type HostConfig, readHostConfig } from './config/host.config.js';
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
  const app = await NestFactory.create<INestApplication<Server>>(AppModule.forRoot(host, logger), createHttpAdapter(host.httpAdapter), {
    logger: new NestLoggerService(logger),
    bodyParser: false,
    abortOnError: false,
  });
  connectA2aGrpc(app, { url: host.grpcAddress, publicAddress: host.publicGrpc });
  stopGracefully(app, host.drainTimeoutMs);
  await app.startAllMicroservices();
  await app.listen(host.port, host.host);
  logger.info('Ready', { http: host.publicUrl, grpc: host.publicGrpc, defaultAgent: host.defaultAgent });
}
