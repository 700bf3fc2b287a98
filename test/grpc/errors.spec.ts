import { type CanActivate, HttpException, Injectable, UnauthorizedException } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RpcException } from '@nestjs/microservices';
import { status } from '@grpc/grpc-js';
import {
  A2aError,
  type A2aErrorReason,
  InvalidParamsError,
  SingleStreamItem,
  statusUpdate,
  streamResponse,
  TaskNotFoundError,
  TaskState,
  UnavailableError,
} from '@a2a/a2a-core';
import { type GrpcHost, startGrpcHost } from './support/grpc.host.js';
import { RawGrpcClient, readAll } from './support/grpc.client.js';

/** Typed by hand from A2A §5.4 and the generic categories of §3.3.2. */
const EXPECTED: Record<A2aErrorReason, status> = {
  TASK_NOT_FOUND: 5,
  TASK_NOT_CANCELABLE: 9,
  PUSH_NOTIFICATION_NOT_SUPPORTED: 9,
  UNSUPPORTED_OPERATION: 9,
  CONTENT_TYPE_NOT_SUPPORTED: 3,
  INVALID_AGENT_RESPONSE: 13,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: 9,
  EXTENSION_SUPPORT_REQUIRED: 9,
  VERSION_NOT_SUPPORTED: 9,
  PARSE_ERROR: 3,
  INVALID_REQUEST: 3,
  METHOD_NOT_FOUND: 12,
  INVALID_PARAMS: 3,
  UNAUTHENTICATED: 16,
  PERMISSION_DENIED: 7,
  ROUTE_NOT_FOUND: 5,
  METHOD_NOT_ALLOWED: 12,
  UNSUPPORTED_MEDIA_TYPE: 3,
  PAYLOAD_TOO_LARGE: 8,
  RATE_LIMITED: 8,
  REQUEST_TIMEOUT: 4,
  UNAVAILABLE: 14,
  INTERNAL: 13,
};
const PROTOCOL_REASONS = (Object.keys(EXPECTED) as A2aErrorReason[]).slice(0, 9);
const item = new SingleStreamItem(streamResponse(statusUpdate({ taskId: 't-1', contextId: 'c-1' }, TaskState.WORKING)), 1);

/** A team's guard, as a test sets it. */
@Injectable()
class TeamGuard implements CanActivate {
  decide: () => boolean = () => true;

  canActivate(): boolean {
    return this.decide();
  }
}

describe('Errors over gRPC', () => {
  const guard = new TeamGuard();
  let host: GrpcHost;
  let client: RawGrpcClient;

  beforeAll(async () => {
    host = await startGrpcHost({ providers: [{ provide: APP_GUARD, useValue: guard }] });
    client = new RawGrpcClient(host.address);
  });
  beforeEach(() => {
    host.requests.reset();
    host.log.errors.length = 0;
    guard.decide = () => true;
  });
  afterAll(async () => {
    client.close();
    await host.close();
  });

  it.each(Object.entries(EXPECTED) as [A2aErrorReason, status][])(
    'answers %s with status %i and details [ERR-03, ERR-41, ERR-42]',
    async (reason, code) => {
      host.requests.scripts.getTask = () => {
        throw new A2aError(reason, 'What went wrong', { metadata: { taskId: 't-1' } });
      };
      const ending = await client.unary('GetTask', { id: 't-1' });
      expect(ending).toMatchObject({ code, text: 'What went wrong' });
      expect(ending.errorInfo).toMatchObject({ reason, metadata: { taskId: 't-1' } });
      expect(ending.errorInfo?.domain === 'a2a-protocol.org').toBe(PROTOCOL_REASONS.includes(reason));
    },
  );

  it.each(Object.keys(EXPECTED) as A2aErrorReason[])(
    'fails a stream with %s before its first item and in the middle [GRPC-04]',
    async (reason) => {
      host.requests.scripts.sendStreamingMessage = () => {
        throw new A2aError(reason, 'Too early');
      };
      host.requests.scripts.subscribeToTask = async function* () {
        yield item;
        throw new A2aError(reason, 'Half way');
      };
      const before = await readAll(client.stream('SendStreamingMessage'));
      const middle = await readAll(client.stream('SubscribeToTask', { id: 't-1' }));
      expect(before).toMatchObject({ items: [], ending: { code: EXPECTED[reason], text: 'Too early', errorInfo: { reason } } });
      expect(middle).toMatchObject({ items: [item.event], ending: { code: EXPECTED[reason], text: 'Half way', errorInfo: { reason } } });
    },
  );

  it('names wrong members in proto names, keys of metadata untouched [ERR-08, GRPC-05]', async () => {
    host.requests.scripts.sendMessage = () => {
      throw new InvalidParamsError([
        { field: 'message.parts[2].mediaType', description: 'unknown' },
        { field: 'configuration.acceptedOutputModes', description: 'empty' },
        { field: 'message.metadata.someKey', description: 'bad' },
        { field: 'A2A-Version', description: 'bad' },
      ]);
    };
    const { code, text, badRequest } = await client.unary('SendMessage');
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(text).toBe('Invalid parameters: message.parts[2].media_type: unknown');
    expect(badRequest?.fieldViolations.map(({ field }) => field)).toEqual([
      'message.parts[2].media_type',
      'configuration.accepted_output_modes',
      'message.metadata.someKey',
      'A2A-Version',
    ]);
  });

  it('keeps trailers small, however much is wrong', async () => {
    host.requests.scripts.sendMessage = () => {
      throw new InvalidParamsError(
        Array.from({ length: 300 }, (_, at) => ({ field: `message.parts[${at}]`, description: '😀'.repeat(2_000) })),
      );
    };
    const { code, badRequest, trailers } = await client.unary('SendMessage');
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(badRequest?.fieldViolations).toHaveLength(16);
    expect(JSON.stringify(trailers.toHttp2Headers()).length).toBeLessThan(8 * 1024);
  });

  it('says when to try again [ERR-06]', async () => {
    host.requests.scripts.getTask = () => {
      throw new UnavailableError('Busy', 7);
    };
    const { code, retryInfo } = await client.unary('GetTask');
    expect(code).toBe(status.UNAVAILABLE);
    expect(retryInfo?.retryDelay).toMatchObject({ seconds: 7n, nanos: 0 });
  });

  it('puts challenges into the trailers, whatever is in them [§7.4]', async () => {
    host.requests.scripts.getTask = () => {
      throw new A2aError('UNAUTHENTICATED', 'Who?', { challenges: ['Bearer realm="a2a"', 'ApiKey header="x-kéy"\r\nevil: 1'] });
    };
    const { code, trailers } = await client.unary('GetTask');
    expect(code).toBe(status.UNAUTHENTICATED);
    expect(trailers.get('www-authenticate').join(', ')).toBe('Bearer realm="a2a", ApiKey header="x-ky"evil: 1');
    expect(trailers.get('evil')).toEqual([]);
  });

  it.each(['a unary call', 'a stream'])('tells nothing of a defect in %s but an id to ask for [ERR-10]', async (kind) => {
    const defect = new Error('connect postgres://app:hunter2@db failed');
    host.requests.scripts.getTask = () => {
      throw defect;
    };
    host.requests.scripts.subscribeToTask = async function* () {
      yield item;
      throw defect;
    };
    const ending = kind === 'a stream' ? (await readAll(client.stream('SubscribeToTask'))).ending : await client.unary('GetTask');
    const errorId = ending.errorInfo?.metadata['errorId'];
    expect(ending).toMatchObject({ code: status.INTERNAL, text: 'Internal error', errorInfo: { reason: 'INTERNAL' } });
    expect(errorId).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(ending.trailers)).not.toContain('hunter2');
    expect(host.log.errors).toEqual([expect.objectContaining({ facts: expect.objectContaining({ errorId }) })]);
    expect(Object.values(host.log.errors[0]?.facts ?? {})).toContain(defect);
  });

  it.each<[string, () => boolean, status, A2aErrorReason]>([
    ['an HttpException 401', () => fail(new UnauthorizedException('internal text')), status.UNAUTHENTICATED, 'UNAUTHENTICATED'],
    ['an HttpException 403', () => fail(new HttpException('internal text', 403)), status.PERMISSION_DENIED, 'PERMISSION_DENIED'],
    ['an HttpException 429', () => fail(new HttpException('internal text', 429)), status.RESOURCE_EXHAUSTED, 'RATE_LIMITED'],
    ['an RpcException 16', () => fail(new RpcException({ code: 16, message: 'internal text' })), status.UNAUTHENTICATED, 'UNAUTHENTICATED'],
    [
      'an RpcException 7',
      () => fail(new RpcException({ code: 7, message: 'internal text' })),
      status.PERMISSION_DENIED,
      'PERMISSION_DENIED',
    ],
    ['an RpcException 8', () => fail(new RpcException({ code: 8, message: 'internal text' })), status.RESOURCE_EXHAUSTED, 'RATE_LIMITED'],
    ['an RpcException of text', () => fail(new RpcException('internal text')), status.INTERNAL, 'INTERNAL'],
    ['an A2aError', () => fail(new TaskNotFoundError('t-1')), status.NOT_FOUND, 'TASK_NOT_FOUND'],
    ['false', () => false, status.PERMISSION_DENIED, 'PERMISSION_DENIED'],
  ])('understands a guard that gives %s, streams included', async (_, decide, code, reason) => {
    guard.decide = decide;
    const unary = await client.unary('GetTask', { id: 't-1' });
    const { ending: streamed } = await readAll(client.stream('SubscribeToTask', { id: 't-1' }));
    for (const ending of [unary, streamed]) {
      expect(ending).toMatchObject({ code, errorInfo: { reason } });
      expect(ending.text).not.toContain('internal text');
    }
    expect(host.requests.received).toEqual([]);
  });

  it('survives an error whose text cannot travel', async () => {
    host.requests.scripts.getTask = () => {
      throw new A2aError('TASK_NOT_FOUND', '\ud800 half a character', { metadata: { taskId: '\udc00' } });
    };
    expect(await client.unary('GetTask')).toMatchObject({ code: status.NOT_FOUND });
  });
});

function fail(error: Error): never {
  throw error;
}
