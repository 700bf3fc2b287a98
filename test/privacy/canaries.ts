import { SECRETS_URI } from '@a2a/a2a-core';
import { type JsonObject } from '@bufbuild/protobuf';
import { type GrpcClient } from '../support/clients/grpc.js';
import { exchange, type HttpRequest } from '../support/clients/http.js';

/** Where a client may see again what it sent itself. */
export type Echo =
  /** Nowhere. */
  | 'nowhere'
  /** In its task, and so in the database. */
  | 'task'
  /** In its own answer, because the protocol says so. */
  | 'answer';

/** What one client can reach. */
export interface Reach {
  /** Root of the conformance agent. */
  readonly url: string;
  /** Its JSON-RPC address. */
  readonly rpcUrl: string;
  readonly grpc: GrpcClient;
  /** Headers of a caller who is let in. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One place in which a client can put a secret. */
export interface Place {
  readonly name: string;
  readonly echo: Echo;
  /** Puts it there. @returns all that the host answered */
  readonly put: (secret: string, reach: Reach) => Promise<string>;
}

const JSON_TYPE = { 'content-type': 'application/json', 'a2a-version': '1.0' };

const answerTo = async (request: HttpRequest): Promise<string> => {
  const { status, headers, text } = await exchange(request);
  return JSON.stringify([status, [...headers], text]);
};
const message = (secret: string, more: JsonObject = {}): JsonObject => ({
  messageId: `m-${secret.slice(-12)}`,
  role: 'ROLE_USER',
  parts: [{ text: '/task' }],
  ...more,
});

/** A message over HTTP+JSON from a caller who is let in. */
function said(name: string, echo: Echo, request: (secret: string) => JsonObject): Place {
  return {
    name,
    echo,
    put: (secret, { url, headers }) =>
      answerTo({
        method: 'POST',
        url: `${url}/message:send`,
        headers: { ...JSON_TYPE, ...headers },
        body: JSON.stringify(request(secret)),
      }),
  };
}

/** A header of an ordinary read. `alone`: in place of the caller's own credentials. */
function header(name: string, value: (secret: string) => string, alone = false): Place {
  return {
    name: `header ${name}`,
    echo: 'nowhere',
    put: (secret, { url, headers }) =>
      answerTo({ method: 'GET', url: `${url}/tasks`, headers: { ...JSON_TYPE, ...(alone ? {} : headers), [name]: value(secret) } }),
  };
}

function query(name: string, text: (secret: string) => string): Place {
  return {
    name,
    echo: 'nowhere',
    put: (secret, { url, headers }) => answerTo({ method: 'GET', url: `${url}${text(secret)}`, headers: { ...JSON_TYPE, ...headers } }),
  };
}

/** A body as it is, to JSON-RPC. */
function body(name: string, text: (secret: string) => string, type = 'application/json', echo: Echo = 'nowhere'): Place {
  return {
    name,
    echo,
    put: (secret, { rpcUrl, headers }) =>
      answerTo({ method: 'POST', url: rpcUrl, headers: { 'a2a-version': '1.0', 'content-type': type, ...headers }, body: text(secret) }),
  };
}

/** Metadata of a gRPC call. */
function metadata(name: string, entry: (secret: string) => Record<string, string>, alone = false): Place {
  return {
    name: `gRPC metadata ${name}`,
    echo: 'nowhere',
    put: (secret, { grpc, headers }) =>
      grpc.call('ListTasks', {}, { headers: { ...(alone ? {} : headers), ...entry(secret) } }).then(
        (reply) => JSON.stringify([reply.body, [...reply.headers]]),
        (error: unknown) => JSON.stringify(error, Object.getOwnPropertyNames(error)),
      ),
  };
}

const rpc = (secret: string, more: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: message(secret) }, ...more });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const jwt = (secret: string): string =>
  `${base64('{"alg":"none"}').replace(/=+$/, '')}.${Buffer.from(secret).toString('base64url')}.${secret}`;

/** Nobody listens there. */
const webhook = (path: string): JsonObject => ({ url: `http://127.0.0.1:9/${path}` });

/** More than thirty places, and more than one way to each kind. */
export const PLACES: readonly Place[] = [
  header('authorization', (secret) => `Bearer ${secret}`, true),
  { ...header('authorization', (secret) => `Bearer ${jwt(secret)}`, true), name: 'a token nobody signed' },
  { ...header('authorization', (secret) => `Basic ${base64(`ada:${secret}`)}`, true), name: 'a password' },
  { ...header('authorization', (secret) => secret, true), name: 'Authorization without a scheme' },
  header('x-api-key', (secret) => secret, true),
  header('proxy-authorization', (secret) => `Basic ${base64(secret)}`),
  header('cookie', (secret) => `session=${secret}; theme=dark`),
  header('x-custom-secret', (secret) => secret),
  header('a2a-anonymous-session', (secret) => `${secret}${'0'.repeat(22)}`, true),
  header('referer', (secret) => `https://example.com/?token=${secret}`),
  header('user-agent', (secret) => `agent/1.0 (${secret})`),
  header('tracestate', (secret) => `vendor=${secret}`),
  header('a2a-version', (secret) => secret),
  header('a2a-extensions', (secret) => `https://example.com/ext?key=${secret}`),
  header('last-event-id', (secret) => secret),
  header('accept', (secret) => `application/${secret}`),
  query('a token in the query', (secret) => `/tasks?access_token=${secret}`),
  query('a key in the query', (secret) => `/tasks?api_key=${secret}&apiKey=${secret}`),
  query('a page token', (secret) => `/tasks?pageToken=${secret}`),
  query('a filter', (secret) => `/tasks?status=${secret}`),
  query('a path that leads nowhere', (secret) => `/nowhere/${secret}?password=${secret}`),
  { ...query('a token in the place of a task', (secret) => `/tasks/${jwt(secret)}`), echo: 'answer' },
  said('text', 'task', (secret) => ({ message: message(secret, { parts: [{ text: '/task' }, { text: `my password is ${secret}` }] }) })),
  said('data', 'task', (secret) => ({ message: message(secret, { parts: [{ text: '/task' }, { data: { password: secret } }] }) })),
  said('raw bytes', 'task', (secret) => ({
    message: message(secret, { parts: [{ text: '/task' }, { raw: base64(secret), filename: 'id_rsa', mediaType: 'text/plain' }] }),
  })),
  said('a URL', 'task', (secret) => ({
    message: message(secret, {
      parts: [{ text: '/task' }, { url: `https://u:${secret}@example.com/?sig=${secret}`, mediaType: 'text/plain' }],
    }),
  })),
  said('metadata of a message', 'task', (secret) => ({ message: message(secret, { metadata: { authorization: `Bearer ${secret}` } }) })),
  said('a secret for the agent', 'nowhere', (secret) => ({ message: message(secret, { metadata: { [SECRETS_URI]: { code: secret } } }) })),
  said('metadata of a part', 'task', (secret) => ({
    message: message(secret, { parts: [{ text: '/task', metadata: { token: secret } }] }),
  })),
  said('metadata of a request', 'nowhere', (secret) => ({ message: message(secret), metadata: { 'x-credentials': secret } })),
  said('an output mode', 'nowhere', (secret) => ({
    message: message(secret),
    configuration: { acceptedOutputModes: ['text/plain', `text/${secret}`] },
  })),
  said('a text that makes the agent fail', 'task', (secret) => ({
    message: message(secret, { parts: [{ text: '/throw' }, { text: `token=${secret}` }] }),
  })),
  said('an unknown member', 'nowhere', (secret) => ({ message: message(secret), password: secret })),
  said('a member of the wrong type', 'nowhere', (secret) => ({ message: { ...message(secret), role: secret } })),
  said("a webhook's token and credentials", 'nowhere', (secret) => ({
    message: message(secret),
    configuration: {
      taskPushNotificationConfig: { ...webhook('hook'), token: secret, authentication: { scheme: 'Bearer', credentials: secret } },
    },
  })),
  said('the address of a webhook', 'task', (secret) => ({
    message: message(secret),
    configuration: { taskPushNotificationConfig: webhook(`${secret}?sig=${secret}`) },
  })),
  said('the address of a webhook that is refused', 'nowhere', (secret) => ({
    message: message(secret),
    configuration: { taskPushNotificationConfig: { url: `ftp://u:${secret}@169.254.169.254/${secret}` } },
  })),
  {
    name: 'text in a stream',
    echo: 'task',
    put: (secret, { url, headers }) =>
      answerTo({
        method: 'POST',
        url: `${url}/message:stream`,
        headers: { ...JSON_TYPE, ...headers },
        body: JSON.stringify({ message: message(secret, { parts: [{ text: '/task' }, { text: secret }] }) }),
      }),
  },
  {
    name: 'text over gRPC',
    echo: 'task',
    put: (secret, { grpc, headers }) =>
      grpc
        .call('SendMessage', { message: message(secret, { parts: [{ text: '/task' }, { text: secret }] }) }, { headers })
        .then((reply) => JSON.stringify(reply.body)),
  },
  {
    name: 'half a body over HTTP+JSON',
    echo: 'nowhere',
    put: (secret, { url, headers }) =>
      answerTo({
        method: 'POST',
        url: `${url}/message:send`,
        headers: { ...JSON_TYPE, ...headers },
        body: `{"message":{"token":"${secret}"`,
      }),
  },
  body('half a body', (secret) => rpc(secret, { params: { token: secret } }).slice(0, -3)),
  body('no JSON at all', (secret) => `password=${secret}&x=1`),
  body('the wrong media type', (secret) => `password=${secret}`, 'application/x-www-form-urlencoded'),
  body('a method that is none', (secret) => rpc(secret, { method: `Get${secret}` })),
  body('an id', (secret) => rpc(secret, { id: secret, method: 'Nothing' }), 'application/json', 'answer'),
  body('a body that is too large', (secret) => rpc(secret, { pad: `${secret}${'x'.repeat(1_100_000)}` })),
  metadata('authorization', (secret) => ({ authorization: `Bearer ${secret}` }), true),
  metadata('x-api-key', (secret) => ({ 'x-api-key': secret }), true),
  metadata('of any name', (secret) => ({ 'x-custom-secret': secret, cookie: `session=${secret}` })),
  metadata('a2a-version', (secret) => ({ 'a2a-version': secret })),
];
