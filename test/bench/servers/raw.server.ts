import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { answerParent } from './answer-parent.js';
import { PlainEndpoint } from './plain-endpoint.js';
import { readBody } from './read-body.js';
import { CARD, type RpcRequest } from './stand-ins.js';

/** node:http, JSON.parse and JSON.stringify: what any server on this platform costs at least. */
const endpoint = new PlainEndpoint();
const server = createServer((request, response) => {
  if (request.method === 'GET') return send(response, CARD);
  void readBody(request).then((text) => {
    const call = JSON.parse(text) as RpcRequest;
    if (request.url === '/rpc/stream') endpoint.stream(call, response);
    else send(response, endpoint.answer(call));
  });
});

server.listen(0, '127.0.0.1', () => {
  answerParent({ http: (server.address() as AddressInfo).port }, () => void endpoint.fanOut());
});

function send(response: ServerResponse, answer: object): void {
  const body = JSON.stringify(answer);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}
