import { type ExecutionContext } from '@nestjs/common';
import { type CallSeed, type IdentifiedCall } from '@a2a/a2a-core';

/** The first step of a call: what a wire tells of it before any body is read or message decoded. */
export abstract class CallReader {
  /** @throws {A2aError} ROUTE_NOT_FOUND for an address that leads nowhere, INVALID_REQUEST for headers that contradict each other */
  abstract read(context: ExecutionContext): CallSeed;

  /** Hands the call to the wire's controller, once its caller is known. */
  abstract accept(context: ExecutionContext, call: IdentifiedCall): void;
}
