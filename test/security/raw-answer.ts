import { createRegistry, fromBinary, fromJson, type JsonObject, toBinary, toJson } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { A2AService, BadRequestSchema, ErrorInfoSchema, type OperationName, RetryInfoSchema, StatusSchema } from '@a2a/a2a-core';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { GrpcClient } from '../support/clients/grpc.js';
import { type HttpReply } from '../support/clients/http.js';
import { JsonRpcClient } from '../support/clients/json-rpc.js';
import { RestClient, toHttpRequest } from '../support/clients/rest.js';
import { type Headers } from './protected-host.js';

/** Everything a caller gets to see of an answer, as text: status, headers or trailers, and the body byte for byte. Only the date is left out. */
export async function rawAnswer(client: A2aClient, operation: OperationName, request: JsonObject, headers: Headers = {}): Promise<string> {
  const addressed = client.tenant === undefined ? request : { tenant: client.tenant, ...request };
  if (client instanceof JsonRpcClient) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: operation, params: addressed });
    return fromHttp(await client.post(body, headers));
  }
  if (client instanceof RestClient) {
    const { method, path, body } = toHttpRequest(operation, addressed);
    return fromHttp(await client.request(method, path, body, headers));
  }
  if (client instanceof GrpcClient) return fromGrpc(client.address, operation, addressed, headers);
  throw new Error(`No raw answers over ${client.wire}`);
}

function fromHttp({ status, headers, text }: HttpReply): string {
  const shown = [...headers].filter(([name]) => !['date', 'keep-alive', 'connection', 'content-length'].includes(name)).toSorted();
  return JSON.stringify([status, shown, text]);
}

const DETAILS = createRegistry(BadRequestSchema, ErrorInfoSchema, RetryInfoSchema);

/** Ends with an error, or with the bytes of the first message in hexadecimal. */
function fromGrpc(address: string, operation: OperationName, request: JsonObject, headers: Headers): Promise<string> {
  const method = A2AService.methods.find(({ name }) => name === operation);
  if (!method) throw new Error(`No RPC ${operation}`);
  const metadata = new Metadata();
  for (const [name, value] of Object.entries({ 'a2a-version': '1.0', ...headers })) metadata.set(name, value);
  const client = new Client(address, credentials.createInsecure());
  const bytes = Buffer.from(toBinary(method.input, fromJson(method.input, request)));
  const same = (value: Buffer): Buffer => value;
  return new Promise<string>((resolve) => {
    const call = client.makeServerStreamRequest(`/lf.a2a.v1.A2AService/${operation}`, same, same, bytes, metadata);
    call.on('data', (message: Buffer) => {
      resolve(JSON.stringify([0, message.toString('hex')]));
      call.cancel();
    });
    call.on('error', (error: Error) => resolve(describeFailure(error as ServiceError)));
  }).finally(() => client.close());
}

function describeFailure({ code, details, metadata }: ServiceError): string {
  const trailers = Object.entries(metadata.toJSON()).filter(([name]) => name !== 'date');
  const shown = trailers.map(([name, values]) => [name, name === 'grpc-status-details-bin' ? values.map(readStatus) : values.map(String)]);
  return JSON.stringify([code, details, shown.toSorted()]);
}

function readStatus(bytes: Buffer | string): unknown {
  return toJson(StatusSchema, fromBinary(StatusSchema, Buffer.from(bytes as Buffer)), { registry: DETAILS });
}
