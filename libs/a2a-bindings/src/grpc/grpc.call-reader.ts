import { type Metadata, type ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { A2aError, type CallSeed, getOperation, type IncomingCall } from '@a2a/a2a-core';
import { lastEventVersion } from '../http/last-event-id.js';
import { connectionIdOf } from './grpc.connection.js';
import { type GrpcSettings } from './grpc.options.js';

const CALL = 'a2a-call';

/** A call whose caller is known, and the settings of the server it came in on. */
export interface GrpcCall {
  readonly incoming: IncomingCall;
  readonly settings: GrpcSettings;
}

/** Reads what metadata say of a call, and hands the call from the gate to its handler. */
@Injectable()
export class GrpcCallReader {
  /**
   * The call as far as its metadata and connection tell.
   *
   * @param signal aborts when the caller has gone
   * @throws {A2aError} PAYLOAD_TOO_LARGE for too many or too large metadata
   */
  seed(metadata: Metadata, call: ServerInterceptingCallInterface, signal: AbortSignal, settings: GrpcSettings): CallSeed {
    const headers = readHeaders(metadata);
    checkSize(headers, settings);
    const certificate = call.getAuthContext().sslPeerCertificate;
    return {
      binding: 'GRPC',
      headers,
      remoteAddress: call.getConnectionInfo().remoteAddress,
      connectionId: connectionIdOf(call),
      // grpc-js shows a certificate only when its chain holds.
      peerCertificate: certificate && { der: certificate.raw, verified: true },
      signal,
    };
  }

  /** Keeps a call for its handler, which gets the same Metadata object. What is opaque never comes from a client nor goes to one. */
  remember(metadata: Metadata, call: GrpcCall): void {
    metadata.setOpaque(CALL, call);
  }

  /** @throws when the call did not pass the gate: a server that was not made by `connectA2aGrpc` lets nobody in */
  read(metadata: Metadata): GrpcCall {
    const call = metadata.getOpaque(CALL) as GrpcCall | undefined;
    if (!call) throw new Error('A gRPC call reached its handler without authentication. Serve A2A with connectA2aGrpc(app, options)');
    return call;
  }

  /**
   * As `read`, with the version of the event to resume behind, from metadata `last-event-id`.
   *
   * @throws {InvalidParamsError} when that is not a number
   */
  readResuming(metadata: Metadata): GrpcCall {
    const { incoming, settings } = this.read(metadata);
    return { incoming: { ...incoming, lastEventVersion: lastEventVersion(incoming, getOperation('SubscribeToTask')) }, settings };
  }
}

/** Binary values in base64, as they travel. */
function readHeaders(metadata: Metadata): ReadonlyMap<string, string> {
  const entries = Object.entries(metadata.toJSON());
  return new Map(entries.map(([key, values]) => [key, values.map((value) => value.toString('base64')).join(', ')]));
}

function checkSize(headers: ReadonlyMap<string, string>, { maxMetadataKeys, maxMetadataBytes }: GrpcSettings): void {
  let bytes = 0;
  for (const [key, value] of headers) bytes += key.length + value.length;
  if (headers.size > maxMetadataKeys || bytes > maxMetadataBytes) {
    throw new A2aError('PAYLOAD_TOO_LARGE', `Metadata may have ${maxMetadataKeys} entries and ${maxMetadataBytes} bytes`);
  }
}
