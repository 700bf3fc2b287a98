import { connect } from 'node:net';
import { type CanActivate, ForbiddenException, HttpException, Injectable, UnauthorizedException } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { A2aError, ANONYMOUS, CallAuthenticator, type CallSeed, UnavailableError } from '@a2a/a2a-core';
import { ask, errorCode, exchangeRaw, post, type Reply } from './support/http-client.js';
import { ScriptedHandler } from './support/scripted-handler.js';
import { ADAPTERS, WireHost, type WireHostOptions } from './support/wire-host.js';

const GET_TASK = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}';
const CHALLENGES = ['Bearer realm="a"', 'Basic realm="a"'];

/** What the next call is answered with; a caller by default. */
let verdict: (() => never) | undefined;

@Injectable()
class ScriptedAuthenticator extends CallAuthenticator {
  async identify(seed: CallSeed) {
    verdict?.();
    return { ...seed, principal: ANONYMOUS };
  }
  async admit() {
    return ANONYMOUS;
  }
}

/** What a guard of the application throws. */
let objection: Error | false | undefined;

@Injectable()
class TeamGuard implements CanActivate {
  canActivate(): boolean {
    if (objection instanceof Error) throw objection;
    return objection !== false;
  }
}

function refuse(error: Error): () => never {
  return () => {
    throw error;
  };
}

describe.each(ADAPTERS)('The guard of a binding on %s', (adapter) => {
  const handler = new ScriptedHandler();
  let host: WireHost;

  const options: WireHostOptions = {
    handler,
    overrides: [{ provide: CallAuthenticator, useClass: ScriptedAuthenticator }],
    app: { providers: [{ provide: APP_GUARD, useClass: TeamGuard }] },
  };
  beforeAll(async () => {
    host = await WireHost.start(adapter, options);
  });
  afterAll(() => host.stop());
  beforeEach(() => {
    verdict = undefined;
    objection = undefined;
    handler.seen.length = 0;
    host.logger.lines.length = 0;
  });

  const both = async (): Promise<[Reply, Reply]> => [await post(host.port, '/rpc', GET_TASK), await ask(host.port, { path: '/tasks/t' })];

  it('refuses a stranger with 401 and every challenge, and no id [A1, ERR table]', async () => {
    verdict = refuse(new A2aError('UNAUTHENTICATED', 'Authentication required', { challenges: CHALLENGES }));
    const [rpc, rest] = await both();
    expect([rpc.status, errorCode(rpc), rpc.json.id]).toEqual([401, -31401, null]);
    expect([rest.status, rest.json]).toMatchObject([
      401,
      { error: { status: 'UNAUTHENTICATED', details: [{ reason: 'UNAUTHENTICATED' }] } },
    ]);
    for (const { headers } of [rpc, rest]) expect(headers['www-authenticate']).toBe(CHALLENGES.join(', '));
    expect(handler.seen).toEqual([]);
  });

  it('answers the same for every method, known or not, and for a body that is none [A1]', async () => {
    verdict = refuse(new A2aError('UNAUTHENTICATED', 'Authentication required'));
    const bodies = [GET_TASK, GET_TASK.replace('GetTask', 'Nope'), '{bad', '[]', ''];
    const replies = await Promise.all(bodies.map((body) => post(host.port, '/rpc', body)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  });

  it('decides before a byte of the body is there [§1.4]', async () => {
    verdict = refuse(new A2aError('UNAUTHENTICATED', 'Authentication required'));
    const head = 'POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n';
    expect(await exchangeRaw(host.port, head)).toMatch(/^HTTP\/1.1 401 /);
  });

  it.each([
    ['a missing permission', new A2aError('PERMISSION_DENIED', 'Permission denied'), 403, -31403],
    ['malformed credentials', new A2aError('INVALID_REQUEST', 'Malformed credentials'), 400, -32600],
    ['an identity provider that is down [A13]', new UnavailableError(), 503, -32603],
    ['too many failures [A23]', new A2aError('RATE_LIMITED', 'Too many failures', { retryAfterSeconds: 60 }), 429, -32603],
  ])('says what stands against %s', async (_, error, status, code) => {
    verdict = refuse(error);
    const [rpc, rest] = await both();
    expect([rpc.status, rpc.json.id, errorCode(rpc)]).toEqual([status, null, code]);
    expect([rest.status, errorCode(rest)]).toEqual([status, status]);
    for (const { headers } of [rpc, rest]) {
      const seconds = error.details.retryAfterSeconds;
      expect(headers['retry-after']).toBe(seconds === undefined ? undefined : String(seconds));
    }
  });

  it('refuses two Authorization headers before it asks who calls [A16]', async () => {
    verdict = refuse(new Error('must not be asked'));
    for (const path of ['/rpc', '/tasks/t:cancel']) {
      const reply = await ask(host.port, { method: 'POST', path, headers: { authorization: ['Bearer a', 'Bearer b'] } });
      expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('More than one Authorization header')]);
    }
  });

  it('tells nothing of a defect but an id that is in the log [E15, ERR-10]', async () => {
    verdict = refuse(new Error('postgres://app:hunter2@db'));
    const [rpc, rest] = await both();
    expect([rpc.status, errorCode(rpc), rest.status]).toEqual([200, -32603, 500]);
    for (const { body } of [rpc, rest]) {
      expect(body).not.toContain('hunter2');
      const errorId = /"errorId":"([0-9a-f-]{36})"/.exec(body)?.[1];
      expect(host.logger.lines).toContainEqual(
        expect.objectContaining({
          facts: expect.objectContaining({ errorId, error: expect.objectContaining({ message: expect.stringContaining('hunter2') }) }),
        }),
      );
    }
  });

  it.each([
    [new UnauthorizedException('secret reason'), 401, -31401],
    [new ForbiddenException('secret reason'), 403, -31403],
    [false as const, 403, -31403],
    [new HttpException('secret reason', 429), 429, -32603],
    [new HttpException('secret reason', 503), 503, -32603],
    [new HttpException('secret reason', 418), 500, -32603],
    [new Error('secret reason'), 500, -32603],
  ])("gives what the application's own guard throws the shape of the wire: %s", async (error, status, code) => {
    objection = error;
    const [rpc, rest] = await both();
    expect([rpc.status, errorCode(rpc)]).toEqual([status === 500 ? 200 : status, code]);
    expect([rest.status, errorCode(rest)]).toEqual([status, status]);
    for (const { body } of [rpc, rest]) expect(body).not.toContain('secret');
  });

  it('survives a client that has left before the answer', async () => {
    const socket = connect(host.port, '127.0.0.1');
    const left = new Promise<void>((resolve) => {
      verdict = () => {
        resolve();
        throw new A2aError('UNAUTHENTICATED', 'Authentication required');
      };
    });
    socket.write('GET /tasks/t HTTP/1.1\r\nHost: x\r\n\r\n');
    await left;
    socket.resetAndDestroy();
    verdict = undefined;
    expect((await ask(host.port, { path: '/tasks/t' })).status).toBe(200);
  });
});
