import { type Metadata, type ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { A2aError, AgentRegistry, type CallSeed, getOperation, type IncomingCall } from '@a2a/a2a-core';
import { lastEventVersion } from '../http/last-event-id.js';
import { sizeOfLargeRequest } from './grpc.codec.js';
import { connectionIdOf } from './grpc.connection.js';
import { type GrpcSettings } from './grpc.options.js';

const CALL = 'a2a-call';

/** Over gRPC it is the tenant alone that names the agent. */
const NOTHING_BUT_TENANT: CallSeed = { binding: 'GRPC', headers: new Map(), signal: new AbortController().signal };

/** A call whose caller is known, and the settings of the server it came in on. */
export interface GrpcCall {
  readonly incoming: IncomingCall;
  readonly settings: GrpcSettings;
}

/** Every request message of the protocol says its tenant. */
export interface A2aRequest {
  readonly tenant: string;
}

/** Reads what metadata say of a call, and hands the call from the gate to its handler. */
@Injectable()
export class GrpcCallReader {
  constructor(private readonly agents: AgentRegistry) {}

  /**
   * The call as far as its metadata and connection tell.
   *
   * @param signal aborts when the caller has gone
   * @throws {A2aError} PAYLOAD_TOO_LARGE for too many or too large metadata
   */
  seed(metadata: Metadata, call: ServerInterceptingCallInterface, signal: AbortSignal, settings: GrpcSettings): CallSeed {
    const headers = readHeaders(metadata);
    const excess = excessOf(headers, settings);
    if (excess) throw excess;
    const certificate = call.getAuthContext().sslPeerCertificate;
    const connectionAddress = call.getConnectionInfo().remoteAddress;
    return {
      binding: 'GRPC',
      headers,
      remoteAddress: settings.proxies.clientAddress(connectionAddress, headers.get('x-forwarded-for')),
      connectionAddress,
      connectionId: settings.proxies.mayShareConnection(connectionAddress, headers) ? undefined : connectionIdOf(call),
      // grpc-js shows a certificate only when its chain holds.
      peerCertificate: certificate && { der: certificate.raw, verified: true },
      signal,
    };
  }

  /** The error for too many or too large metadata, if they are. */
  findExcessOf(metadata: Metadata, settings: GrpcSettings): A2aError | undefined {
    return excessOf(readHeaders(metadata), settings);
  }

  /** The error for a request that is larger than its agent takes, if it is. */
  findExcess(request: A2aRequest, { maxMessageBytes }: GrpcSettings): A2aError | undefined {
    const bytes = sizeOfLargeRequest(request);
    if (bytes === undefined) return undefined;
    const { agent } = this.agents.resolve(NOTHING_BUT_TENANT, request.tenant);
    const maxBytes = agent.options.limits?.requestBytes ?? maxMessageBytes;
    return bytes > maxBytes ? new A2aError('PAYLOAD_TOO_LARGE', `The request is larger than ${maxBytes} bytes`) : undefined;
  }

  /** Keeps a call for its handler, which gets the same Metadata object. What is opaque never comes from a client nor goes to one. */
  remember(metadata: Metadata, call: GrpcCall): void {
    metadata.setOpaque(CALL, call);
  }

  /** The call, if it passed the gate. */
  find(metadata: Metadata): GrpcCall | undefined {
    return metadata.getOpaque(CALL) as GrpcCall | undefined;
  }

  /** @throws when the call did not pass the gate: a server that was not made by `connectA2aGrpc` lets nobody in */
  read(metadata: Metadata): GrpcCall {
    const call = this.find(metadata);
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

function excessOf(headers: ReadonlyMap<string, string>, { maxMetadataKeys, maxMetadataBytes }: GrpcSettings): A2aError | undefined {
  let bytes = 0;
  for (const [key, value] of headers) bytes += key.length + value.length;
  if (headers.size <= maxMetadataKeys && bytes <= maxMetadataBytes) return undefined;
  return new A2aError('PAYLOAD_TOO_LARGE', `Metadata may have ${maxMetadataKeys} entries and ${maxMetadataBytes} bytes`);
}
