import { type AddressInfo } from 'node:net';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';
import { answerParent, serverOptions } from './answer-parent.js';
import { SdkAgent } from './sdk.agent.js';
import { seedSdk } from './sdk.seed.js';
import { openSdkStore } from './sdk.store.js';
import { CARD } from './stand-ins.js';

export interface SdkServerOptions {
  /** Tasks to be there before the first call. */
  readonly tasks?: number;
  /** `sqlite:<file>` or `postgres://…`; in memory without it. */
  readonly storeUrl?: string;
}

/** The official JavaScript SDK as its README sets it up: Express, JSON-RPC and gRPC. */
const { tasks = 0, storeUrl } = serverOptions<SdkServerOptions>();
const store = openSdkStore(storeUrl);
await seedSdk(store, tasks);
const agent = new SdkAgent();
// It answers a wire only if the card lists it.
const card = {
  ...CARD,
  supportedInterfaces: [...CARD.supportedInterfaces, { url: '127.0.0.1', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
};
const requestHandler = new DefaultRequestHandler(AgentCard.fromJSON(card), store, agent);
const userBuilder = UserBuilder.noAuthentication;

const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder }));

const grpc = new Server();
grpc.addService(A2AService, grpcService({ requestHandler, userBuilder }));
const grpcPort = await new Promise<number>((resolve, reject) => {
  grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => (error ? reject(error) : resolve(port)));
});

const server = app.listen(0, '127.0.0.1', () => {
  answerParent({ http: (server.address() as AddressInfo).port, grpc: grpcPort }, () => agent.go());
});
