import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { A2AService } from '@a2a/a2a-core';

/** Adds the reflection service (v1 and v1alpha), so that grpcurl and the like need no .proto. It answers from the generated descriptors. */
export function addReflection(server: Server): void {
  const fileDescriptorProtos = filesOf(A2AService.file).map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
  const method = { fileDescriptorProtos };
  new ReflectionService({ [A2AService.typeName]: method } as never).addToServer(server);
}

/** A file and all it imports, each once. */
function filesOf(file: DescFile, seen = new Set<DescFile>()): DescFile[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return [file, ...file.dependencies.flatMap((dependency) => filesOf(dependency, seen))];
}
