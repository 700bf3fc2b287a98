import { create } from '@bufbuild/protobuf';
import { Module } from '@nestjs/common';
import { type A2aError } from '../../protocol/errors.js';
import { PushConfigRepository } from './push-config.repository.js';
import { HOOK, PushEngine, SECRET } from '../../testing/push-engine.js';
import { A2aPushModule } from '../a2a-push.module.js';
import { TaskPushNotificationConfigSchema } from '../../gen/a2a_pb.js';
import { incomingCall } from '../../testing/test-engine.js';

describe('webhook registrations', () => {
  let push: PushEngine;
  let taskId: string;
  beforeEach(async () => {
    push = await PushEngine.start();
    taskId = (await push.engine.sendForTask(push.script('asks', (turn) => turn.requireInput('what?')))).id;
  });
  afterEach(() => push.close());

  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'accepted',
      ({ reason, details }: A2aError) => [reason, ...(details.fieldViolations ?? []).map(({ field }) => field)].join(' '),
    );

  it('makes an id when the client brings none, and keeps the one it brings [PCRE-05]', async () => {
    const made = await push.create({ taskId, url: HOOK });
    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    const given = await push.create({ taskId, url: HOOK, id: 'mine' });
    expect(given).toMatchObject({ id: 'mine', taskId, url: HOOK });
    expect((await push.list(taskId)).configs.map(({ id }) => id).toSorted()).toEqual([made.id, 'mine'].toSorted());
  });

  it('repeats secrets in the answer to Create and nowhere else [PGET-04]', async () => {
    const authentication = { scheme: 'bearer', credentials: 'canary-1' };
    const made = await push.create({ taskId, id: 'c', url: HOOK, token: 'canary-2', authentication, tenant: '' });
    expect(made).toMatchObject({ token: 'canary-2', authentication });
    const shown = [await push.get(taskId, 'c'), ...(await push.list(taskId)).configs];
    for (const config of shown) {
      expect(config).toMatchObject({ id: 'c', url: HOOK, authentication: { scheme: 'Bearer' } });
      expect(JSON.stringify(config)).not.toContain('canary');
    }
    expect(JSON.stringify(push.engine.logged)).not.toContain('canary');
  });

  it('replaces a config of the same task and id [PCRE-05]', async () => {
    await push.create({ taskId, id: 'c', url: HOOK, token: 't' });
    await push.create({ taskId, id: 'c', url: `${HOOK}/2` });
    expect((await push.list(taskId)).configs).toHaveLength(1);
    expect(await push.get(taskId, 'c')).toMatchObject({ url: `${HOOK}/2` });
  });

  it('knows no config that is absent, and no task that is [PGET-02] [PLST-02] [PDEL-03]', async () => {
    expect(await refused(push.get(taskId, 'none'))).toBe('TASK_NOT_FOUND');
    expect(await refused(push.get('none', 'none'))).toBe('TASK_NOT_FOUND');
    expect(await refused(push.list('none'))).toBe('TASK_NOT_FOUND');
    expect(await refused(push.delete('none', 'c'))).toBe('TASK_NOT_FOUND');
    expect(await refused(push.create({ taskId: 'none', url: HOOK }))).toBe('TASK_NOT_FOUND');
  });

  it('deletes as often as it is asked to [PDEL-02]', async () => {
    await push.create({ taskId, id: 'c', url: HOOK });
    await push.delete(taskId, 'c');
    await push.delete(taskId, 'c');
    expect(await refused(push.get(taskId, 'c'))).toBe('TASK_NOT_FOUND');
    expect((await push.list(taskId)).configs).toEqual([]);
  });

  it('pages through configs, with tokens of no use elsewhere [PLST-01]', async () => {
    for (const id of ['c', 'a', 'b']) await push.create({ taskId, id, url: HOOK });
    const first = await push.list(taskId, { pageSize: 2 });
    expect(first.configs.map(({ id }) => id)).toEqual(['a', 'b']);
    const second = await push.list(taskId, { pageSize: 2, pageToken: first.nextPageToken });
    expect(second.configs.map(({ id }) => id)).toEqual(['c']);
    expect(second.nextPageToken).toBe('');
    expect(await refused(push.list(taskId, { pageToken: `x${first.nextPageToken}` }))).toBe('INVALID_PARAMS pageToken');
    expect(await refused(push.list(taskId, { pageSize: 101 }))).toBe('INVALID_PARAMS pageSize');
    expect(await refused(push.list(taskId, { pageSize: -1 }))).toBe('INVALID_PARAMS pageSize');
  });

  it.each([
    ['a target that is not allowed [SECC-21]', { url: 'https://forbidden.example/' }, 'url'],
    ['no target', { url: '' }, 'url'],
    ['a scheme that we do not speak [C14]', { authentication: { scheme: 'Digest', credentials: 'x' } }, 'authentication.scheme'],
    ['a scheme without credentials [C14]', { authentication: { scheme: 'Bearer' } }, 'authentication.credentials'],
    ['line breaks in credentials [C13]', { authentication: { scheme: 'Bearer', credentials: 'a\r\nb: c' } }, 'authentication.credentials'],
    ['a line break in the scheme [C13]', { authentication: { scheme: 'Bearer\r\n', credentials: 'a' } }, 'authentication.scheme'],
    ['line breaks in the token [C13]', { token: 'a\nb' }, 'token'],
    ['a token that no header takes', { token: 'ä' }, 'token'],
    ['a token of 5 KiB', { token: 'x'.repeat(5_000) }, 'token'],
    ['an id of 257 characters', { id: 'x'.repeat(257) }, 'id'],
    ['an id with a control character', { id: 'a\u0000b' }, 'id'],
  ])('refuses %s, alone and with a message', async (_why, config, field) => {
    expect(await refused(push.create({ taskId, url: HOOK, ...config }))).toBe(`INVALID_PARAMS ${field}`);
    const inline = refused(push.sendWithHook('asks', { url: HOOK, ...config }));
    expect(await inline).toBe(`INVALID_PARAMS configuration.taskPushNotificationConfig.${field}`);
    expect((await push.list(taskId)).configs).toEqual([]);
  });

  it.each(['bearer', 'BEARER', 'Basic', 'apikey', 'ApiKey'])('speaks %s, in whatever case [PUSH-02]', async (scheme) => {
    await push.create({ taskId, id: 'c', url: HOOK, authentication: { scheme, credentials: 'dXNlcjpwYXNz' } });
    expect((await push.get(taskId, 'c')).authentication?.scheme.toLowerCase()).toBe(scheme.toLowerCase());
  });

  it('accepts a config for a task that has ended, and sends nothing [PCRE-06]', async () => {
    const { id } = await push.engine.sendForTask(push.script('ends', (turn) => turn.completed()));
    await push.create({ taskId: id, id: 'c', url: HOOK });
    await push.clock.advance(5_000);
    expect(await push.get(id, 'c')).toMatchObject({ id: 'c' });
    expect(push.briefs).toEqual([]);
  });

  it('stops at five configs a task and says so [C18]', async () => {
    for (const id of ['1', '2', '3', '4', '5']) await push.create({ taskId, id, url: HOOK });
    expect(await refused(push.create({ taskId, id: '6', url: HOOK }))).toBe('INVALID_PARAMS taskId');
    await push.create({ taskId, id: '5', url: `${HOOK}/new` });
    await push.delete(taskId, '1');
    await push.create({ taskId, id: '6', url: HOOK });
  });

  it('keeps the secrets sealed in the store [E28]', async () => {
    await push.create({ taskId, id: 'c', url: HOOK, token: 'canary-1', authentication: { scheme: 'Basic', credentials: 'canary-2' } });
    const scope = { agentId: 'scripted', tenant: '', owner: 'anonymous' };
    const stored = await push.engine.get(PushConfigRepository).find(scope, taskId, 'c');
    expect(stored?.secrets).toMatch(/^v1\./);
    expect(JSON.stringify(stored)).not.toContain('canary');
  });

  it('says the tenant of the request that asks [TEN-08]', async () => {
    const call = incomingCall();
    const config = create(TaskPushNotificationConfigSchema, { taskId, id: 'c', url: HOOK });
    await push.create(config, call);
    expect((await push.get(taskId, 'c')).tenant).toBe('');
  });
});

describe('limits of a caller', () => {
  it('counts active configs only, and refuses an inline one before there is a task [C18]', async () => {
    const push = await PushEngine.start({ push: { configsPerOwner: 2 } });
    const asks = push.script('asks', (turn) => turn.requireInput('what?'));
    const ends = push.script('ends', (turn) => turn.completed());
    await push.sendWithHook(ends);
    await push.sendWithHook(asks);
    await push.receivers.until(4);
    await push.clock.advance(0);
    const second = await push.sendWithHook(asks);
    await expect(push.sendWithHook(asks)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await expect(push.create({ taskId: second.id, url: HOOK })).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await push.close();
  });
});

describe('a host without a secret', () => {
  it.each([undefined, '', 'short'])('does not start with %j [E29]', async (secret) => {
    await expect(PushEngine.start({ push: { secret } })).rejects.toThrow('A2aPushModule: secret must have at least 32 characters');
  });

  it('takes its options from elsewhere too', () => {
    @Module({})
    class Settings {}
    const module = A2aPushModule.forRootAsync({ imports: [Settings], useFactory: () => ({ secret: SECRET }) });
    expect(module.module).toBe(A2aPushModule);
  });
});
