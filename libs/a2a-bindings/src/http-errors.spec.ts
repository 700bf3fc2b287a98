import { A2A_PROTOCOL_REASONS, A2aError, type A2aErrorReason, InternalError, InvalidParamsError, UnavailableError } from '@a2a/a2a-core';
import { formatJsonRpcError, JSON_RPC_ERRORS } from './json-rpc/json-rpc.errors.js';
import { formatRestError, REST_ERRORS } from './rest/rest.errors.js';

/** A2A §5.4 in 1.0.1: reason, JSON-RPC code, HTTP status, google.rpc code. */
const PROTOCOL: [A2aErrorReason, number, number, string][] = [
  ['TASK_NOT_FOUND', -32001, 404, 'NOT_FOUND'],
  ['TASK_NOT_CANCELABLE', -32002, 400, 'FAILED_PRECONDITION'],
  ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003, 400, 'FAILED_PRECONDITION'],
  ['UNSUPPORTED_OPERATION', -32004, 400, 'FAILED_PRECONDITION'],
  ['CONTENT_TYPE_NOT_SUPPORTED', -32005, 400, 'INVALID_ARGUMENT'],
  ['INVALID_AGENT_RESPONSE', -32006, 500, 'INTERNAL'],
  ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', -32007, 400, 'FAILED_PRECONDITION'],
  ['EXTENSION_SUPPORT_REQUIRED', -32008, 400, 'FAILED_PRECONDITION'],
  ['VERSION_NOT_SUPPORTED', -32009, 400, 'FAILED_PRECONDITION'],
];

describe('The errors of the protocol', () => {
  it('are these nine', () => {
    expect([...A2A_PROTOCOL_REASONS].toSorted()).toEqual(PROTOCOL.map(([reason]) => reason).toSorted());
  });

  it.each(PROTOCOL)('%s is %i, HTTP %i, %s [ERR-03]', (reason, code, httpStatus, status) => {
    expect(JSON_RPC_ERRORS[reason]).toEqual({ code, httpStatus: 200 });
    expect(REST_ERRORS[reason]).toEqual({ httpStatus, status });
  });

  it.each(PROTOCOL)('%s carries ErrorInfo in the domain of the protocol on both wires [ERR-04, ERR-05]', (reason) => {
    const error = new A2aError(reason, 'text', { metadata: { taskId: 't' } });
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'a2a-protocol.org',
      metadata: { taskId: 't' },
    };
    expect(JSON.parse(formatJsonRpcError('1', error))).toMatchObject({ jsonrpc: '2.0', id: 1, error: { message: 'text', data: [info] } });
    expect(JSON.parse(formatRestError(error))).toMatchObject({ error: { message: 'text', details: [info] } });
  });
});

describe('Other errors', () => {
  it('have the codes of JSON-RPC 2.0 [ERR-21]', () => {
    const codes = ['PARSE_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS', 'INTERNAL'] as const;
    expect(codes.map((reason) => JSON_RPC_ERRORS[reason].code)).toEqual([-32700, -32600, -32601, -32602, -32603]);
  });

  it('stay out of the range of the protocol where it names no code', () => {
    const reserved = Object.entries(JSON_RPC_ERRORS).filter(([, { code }]) => code <= -32001 && code >= -32099);
    expect(reserved.map(([reason]) => reason).toSorted()).toEqual(PROTOCOL.map(([reason]) => reason).toSorted());
  });

  it('name every wrong member [ERR-08]', () => {
    const error = new InvalidParamsError([
      { field: 'a.b', description: 'x' },
      { field: 'c', description: 'y' },
    ]);
    expect(formatRestError(error)).toContain(
      '{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"a.b","description":"x"},{"field":"c","description":"y"}]}',
    );
  });

  it('say when to try again [ERR-06]', () => {
    expect(formatRestError(new UnavailableError())).toContain('{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"5s"}');
  });

  it('show an id instead of what went wrong [ERR-10]', () => {
    const text = formatRestError(new InternalError('e-1', new Error('hunter2')));
    expect(text).toContain('"errorId":"e-1"');
    expect(text).not.toContain('hunter2');
  });

  it('have no id when the request could not be parsed [JRPC-05]', () => {
    expect(formatJsonRpcError('7', new A2aError('PARSE_ERROR', 'x'))).toContain('"id":null');
  });
});
