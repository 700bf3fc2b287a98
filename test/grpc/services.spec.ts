import { once } from 'node:events';
import {
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { protoPath as healthProto } from 'grpc-health-check';
import { TaskSchema } from '@a2a/a2a-core';
import { comesWithin } from '../support/comes-within.js';
import { type GrpcHost, startGrpcHost } from './support/grpc.host.js';

const LOADER = { longs: String, enums: String, oneofs: true, includeDirs: ['proto'] };
const REFLECTION_PROTO = require.resolve('@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto');

/** All that is served. */
const SERVICES = [
  'lf.a2a.v1.A2AService',
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
];

/** A client as proto-loader makes it from a .proto file. */
function stub(address: string, protoFile: string, service: string) {
  const root: unknown = loadPackageDefinition(loadSync(protoFile, LOADER));
  const constructor = service.split('.').reduce((at, name) => (at as GrpcObject)[name], root) as ServiceClientConstructor;
  return new constructor(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
}

type Stub = ReturnType<typeof stub>;

function call(client: Stub, method: string, request: object, metadata = new Metadata()): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    client[method]?.(request, metadata, (error: ServiceError | null, response: Record<string, unknown>) =>
      error ? reject(error) : resolve(response),
    );
  });
}

describe('Services beside A2A', () => {
  let host: GrpcHost;
  const open: Stub[] = [];
  const connect = (protoFile: string, service: string) => {
    const client = stub(host.address, protoFile, service);
    open.push(client);
    return client;
  };

  beforeEach(async () => {
    host = await startGrpcHost({ options: { shutdownGraceMs: 300 } });
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    await host.close();
  });

  it.each(['', 'lf.a2a.v1.A2AService'])('says that "%s" is serving, to anybody [GRPC-07]', async (service) => {
    expect(await call(connect(healthProto, 'grpc.health.v1.Health'), 'check', { service })).toEqual({ status: 'SERVING' });
  });

  it('tells who watches its health that it stops, and hangs up [GRPC-07]', async () => {
    const watch = connect(healthProto, 'grpc.health.v1.Health')['watch']?.({ service: '' });
    const [first] = (await once(watch, 'data')) as [unknown];
    const second = once(watch, 'data');
    const failed = once(watch, 'error');
    expect(await comesWithin(1_000, host.close())).toBe(true);
    expect([first, ...(await second)]).toEqual([{ status: 'SERVING' }, { status: 'NOT_SERVING' }]);
    expect(((await failed) as [ServiceError])[0].code).toBe(status.UNAVAILABLE);
  });

  it('describes its service and all that belongs to it, without a .proto [GRPC-07]', async () => {
    const info = connect(REFLECTION_PROTO, 'grpc.reflection.v1.ServerReflection')['ServerReflectionInfo']?.();
    const ask = async (request: object) => {
      info.write(request);
      return (
        (await once(info, 'data')) as [
          { listServicesResponse: { service: unknown }; fileDescriptorResponse: { fileDescriptorProto: Buffer[] } },
        ]
      )[0];
    };
    expect((await ask({ listServices: '*' })).listServicesResponse.service).toEqual(SERVICES.map((name) => ({ name })));
    const files = new Map<string, FileDescriptorProto>();
    const wanted: object[] = SERVICES.map((fileContainingSymbol) => ({ fileContainingSymbol }));
    for (let request = wanted.pop(); request; request = wanted.pop()) {
      for (const bytes of (await ask(request)).fileDescriptorResponse.fileDescriptorProto) {
        const file = fromBinary(FileDescriptorProtoSchema, bytes);
        files.set(file.name, file);
        wanted.push(...file.dependency.filter((name) => !files.has(name)).map((fileByFilename) => ({ fileByFilename })));
      }
    }
    const ended = once(info, 'end');
    info.end();
    await ended;
    const described = [...files.values()].flatMap((file) => file.service.map(({ name }) => `${file.package}.${name}`));
    expect(new Set(described)).toEqual(new Set(SERVICES));
    const registry = createFileRegistry(files.get('a2a.proto') ?? create(FileDescriptorProtoSchema), (name) => files.get(name));
    expect(registry.getService('lf.a2a.v1.A2AService')?.methods).toHaveLength(11);
    expect(registry.getMessage('lf.a2a.v1.Part')?.fields.map(({ name }) => name)).toContain('media_type');
  });

  it('is silent about itself when reflection is off', async () => {
    await host.close();
    host = await startGrpcHost({ options: { reflection: false } });
    const info = connect(REFLECTION_PROTO, 'grpc.reflection.v1.ServerReflection')['ServerReflectionInfo']?.();
    const failed = once(info, 'error');
    info.write({ listServices: '*' });
    expect(((await failed) as [ServiceError])[0].code).toBe(status.UNIMPLEMENTED);
  });

  it('understands a client made by proto-loader from a2a.proto [GRPC-01]', async () => {
    host.requests.scripts.getTask = ({ id }: { id: string }) => create(TaskSchema, { id, metadata: { a: [1, 'x', null] } });
    const task = await call(connect('a2a.proto', 'lf.a2a.v1.A2AService'), 'GetTask', { id: 't-1', historyLength: 0 });
    expect(task).toMatchObject({
      id: 't-1',
      metadata: { fields: { a: { listValue: { values: [{ numberValue: 1 }, { stringValue: 'x' }, { nullValue: 'NULL_VALUE' }] } } } },
    });
    expect(host.requests.received[0]?.request).toMatchObject({ id: 't-1', historyLength: 0 });
  });

  it('does not wait for a call that never ends', async () => {
    host.requests.scripts.getTask = () => new Promise(() => undefined);
    const pending = call(connect('a2a.proto', 'lf.a2a.v1.A2AService'), 'GetTask', { id: 't-1' });
    const settled = pending.then(undefined, (error: ServiceError) => error.code);
    await call(connect(healthProto, 'grpc.health.v1.Health'), 'check', { service: '' });
    await reached(() => host.requests.received.length === 1);
    expect(await comesWithin(1_000, host.close())).toBe(true);
    expect([status.UNAVAILABLE, status.CANCELLED]).toContain(await settled);
  });
});

async function reached(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
