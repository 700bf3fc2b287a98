import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { type TLSSocket } from 'node:tls';
import { type JsonObject } from '@bufbuild/protobuf';
import { type TestCertificate } from '../../grpc/support/certificates.js';

export interface HttpsReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: JsonObject;
  /** Such as `TLSv1.3`. */
  readonly protocol: string | null;
  readonly serverCertificate: X509Certificate;
}

export interface HttpsAsk extends Pick<RequestOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'method'> {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Shown to the server, if it asks. */
  readonly client?: TestCertificate;
}

/** One request over a TLS connection of its own that trusts nobody but `authority`. */
export async function askTls(url: string, authority: TestCertificate, options: HttpsAsk = {}): Promise<HttpsReply> {
  const { client, headers, body, ...rest } = options;
  const outgoing = request(url, {
    agent: false,
    ca: authority.cert,
    cert: client?.cert,
    key: client?.key,
    ...rest,
    headers: { 'a2a-version': '1.0', ...headers },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const socket = response.socket as TLSSocket;
  const protocol = socket.getProtocol();
  const serverCertificate = socket.getPeerX509Certificate();
  if (!serverCertificate) throw new Error('The server showed no certificate');
  const answer = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: answer,
    get json() {
      return JSON.parse(answer) as JsonObject;
    },
    protocol,
    serverCertificate,
  };
}
