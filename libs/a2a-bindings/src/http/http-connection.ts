import { randomUUID } from 'node:crypto';
import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type CallSeed } from '@a2a/a2a-core';

/** What every request of one connection has in common. */
export type HttpConnection = Pick<CallSeed, 'connectionAddress' | 'connectionId' | 'peerCertificate'>;

const CONNECTION = Symbol('a2a.connection');

/** Facts of a connection, found once and kept as long as it lives. */
export function connectionOf(socket: Socket & { [CONNECTION]?: HttpConnection }): HttpConnection {
  return (socket[CONNECTION] ??= {
    connectionAddress: socket.remoteAddress,
    connectionId: randomUUID(),
    peerCertificate: certificateOf(socket),
  });
}

function certificateOf(socket: Socket): HttpConnection['peerCertificate'] {
  if (!(socket instanceof TLSSocket)) return undefined;
  const der = socket.getPeerX509Certificate()?.raw;
  return der && { der, verified: socket.authorized };
}
