import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { FrontDoor } from '../front-door/front-door.js';
import { SERVER_LIMITS } from '../front-door/server-limits.js';
import { createHttpAdapter } from './http.adapter.js';

const bell = new EventEmitter();

@Controller()
class ProbeController {
  @Get('short')
  short(): string {
    return 'short';
  }

  @Get('stream')
  async *stream(): AsyncGenerator<string> {
    yield 'first ';
    await once(bell, 'ring');
    yield 'last';
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const FAST = { ...SERVER_LIMITS, headersTimeout: 1_000, requestTimeout: 1_500, connectionsCheckingInterval: 20 };

describe.each(['express', 'fastify'] as const)('createHttpAdapter %s', (kind) => {
  let app: INestApplication<Server>;

  async function start(limits: typeof FAST = SERVER_LIMITS): Promise<number> {
    const door = new FrontDoor({}, false, limits);
    app = await NestFactory.create<INestApplication<Server>>(ProbeModule, createHttpAdapter(kind, door), { logger: false });
    await app.listen(0, '127.0.0.1');
    return (app.getHttpServer().address() as AddressInfo).port;
  }

  afterEach(() => app.close());

  it('cuts a request that does not arrive, and no stream that takes longer', async () => {
    const port = await start(FAST);
    const [stream] = (await once(get({ port, host: '127.0.0.1', path: '/stream' }), 'response')) as [IncomingMessage];
    const [slowHeaders, slowBody] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    slowHeaders.write('GET /short HTTP/1.1\r\nHost: x\r\n');
    slowBody.write('POST /short HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    await Promise.all([untilEnd(slowHeaders), untilEnd(slowBody)]);
    bell.emit('ring');
    expect(await text(stream)).toBe('first last');
  });

  it('refuses headers of more than 16 KiB', async () => {
    const port = await start();
    const statusOf = async (bytes: number) => {
      const response = await fetch(`http://127.0.0.1:${port}/short`, { headers: { 'x-padding': 'x'.repeat(bytes) } });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await statusOf(15_000)).toBe(200);
    expect(await statusOf(17_000)).toBe(431);
  });

  it('serves with the limits of a real host: 10 s for headers, 30 s for a request, 5 s between two [D7]', async () => {
    await start();
    expect(app.getHttpServer()).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 });
  });
});

async function untilEnd(socket: Socket): Promise<void> {
  socket.resume();
  await once(socket, 'close');
}
