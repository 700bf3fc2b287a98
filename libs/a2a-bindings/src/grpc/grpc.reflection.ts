import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { service as health } from 'grpc-health-check';
import { A2AService } from '@a2a/a2a-core';

/** A method as proto-loader defines it: the types of its messages keep the files that define them. */
interface LoadedMethod {
  readonly requestType: { readonly fileDescriptorProtos: Buffer[] };
}

/**
 * Adds the reflection service (v1 and v1alpha), so that grpcurl and the like need no .proto. A2A is told of from the generated descriptors,
 * health and reflection from the files of their packages.
 */
export function addReflection(server: Server): void {
  const a2a = filesOf(A2AService.file).map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
  const fileDescriptorProtos = [...a2a, ...[health, ...reflectionServices()].flatMap(loadedFiles)];
  new ReflectionService({ [A2AService.typeName]: { fileDescriptorProtos } } as never).addToServer(server);
}

/** What the reflection adds to a server; its package shows that to nobody else. */
function reflectionServices(): object[] {
  const services: object[] = [];
  new ReflectionService({}).addToServer({ addService: (service) => void services.push(service) });
  return services;
}

function loadedFiles(service: object): Buffer[] {
  return Object.values(service as Record<string, LoadedMethod>).flatMap(({ requestType }) => requestType.fileDescriptorProtos);
}

/** A file and all it imports, each once. */
function filesOf(file: DescFile, seen = new Set<DescFile>()): DescFile[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return [file, ...file.dependencies.flatMap((dependency) => filesOf(dependency, seen))];
}
