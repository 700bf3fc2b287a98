import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { answerParent, serverOptions } from './answer-parent.js';
import { openFloorLog } from './floor.log.js';
import { readBody } from './read-body.js';
import { askIn, chunkEvent, completedEvent, finishedTask, frame, type RpcRequest, tick, workingTask } from './stand-ins.js';

export interface FloorServerOptions {
  /** `sqlite:<file>` or `postgres://…`. */
  readonly storeUrl: string;
}

/** The least that a server can do which answers only for what is on disk: node:http, an append-only log and nothing else. */
const log = await openFloorLog(serverOptions<FloorServerOptions>().storeUrl);

const server = createServer((request, response) => {
  void readBody(request).then((text) => {
    const call = JSON.parse(text) as RpcRequest;
    return request.url === '/rpc/stream' ? stream(call, response) : answer(call, response);
  });
});
server.listen(0, '127.0.0.1', () => answerParent({ http: (server.address() as AddressInfo).port }));

async function answer({ id, params: { message } }: RpcRequest, response: ServerResponse): Promise<void> {
  if (!message) throw new Error('The floor answers messages only');
  const task = finishedTask(message);
  // The first three are acknowledged with the fourth.
  const events = [workingTask(), workingTask(), chunkEvent(false), completedEvent()].map((event) => JSON.stringify(event));
  await log.append(randomUUID(), 0, events);
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: { task } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

async function stream({ id, params: { message } }: RpcRequest, response: ServerResponse): Promise<void> {
  const { count } = askIn(message?.parts[0]?.text ?? '');
  const task = randomUUID();
  let version = 0;
  const sent: Promise<unknown>[] = [];
  const send = (event: object): void => {
    const append = log.append(task, version++, [JSON.stringify(event)]);
    sent.push(append.then(() => response.write(frame(id, event))));
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  send(workingTask());
  for (let index = 0; index < count; index++) {
    await tick();
    send(chunkEvent(index > 0));
  }
  send(completedEvent());
  await Promise.all(sent);
  response.end();
}
