import { createHmac, createPublicKey, verify } from 'node:crypto';
import { EVENT_SEQUENCE_EXTENSION, EVENT_SEQUENCE_URI } from '../../extensions/event-sequence.extension.js';
import { HOOK, PushEngine, threeUpdates } from '../../testing/push-engine.js';
import { incomingCall } from '../../testing/test-engine.js';
import { WebhookKeys } from '../secrets/webhook-signer.js';

describe('deliveries', () => {
  let push: PushEngine;
  const start = async (...facts: Parameters<typeof PushEngine.start>) => (push = await PushEngine.start(...facts));
  afterEach(() => push.close());

  describe('look', () => {
    it('as A2A says: a bare StreamResponse with credentials and token [PUSH-10] [PUSH-11] [PUSH-12] [PUSH-13] [PUSH-14]', async () => {
      await start();
      const authentication = { scheme: 'bearer', credentials: 'secret' };
      await push.sendWithHook(push.script('three', threeUpdates), { url: HOOK, token: 'mine', authentication });
      const [post] = await push.receivers.until(1);
      expect(post?.url).toBe(HOOK);
      expect(Object.keys(JSON.parse(post?.body ?? '') as object)).toEqual(['task']);
      expect(post?.headers).toMatchObject({
        'content-type': 'application/a2a+json',
        'a2a-version': '1.0',
        authorization: 'Bearer secret',
        'x-a2a-notification-token': 'mine',
      });
      expect(post?.options).toMatchObject({ timeoutMs: 15_000, maxBytes: 65_536, drop: true });
    });

    it('without credentials when there are none [PUSH-12]', async () => {
      await start();
      await push.sendWithHook(push.script('three', threeUpdates));
      const [post] = await push.receivers.until(1);
      expect(Object.keys(post?.headers ?? {})).not.toContain('authorization');
      expect(Object.keys(post?.headers ?? {})).not.toContain('x-a2a-notification-token');
    });

    it('signed with a key that the host publishes [C15]', async () => {
      await start({ push: { previousSecrets: ['the secret that this host had before'] } });
      await push.sendWithHook(push.script('three', threeUpdates));
      const [post] = await push.receivers.until(1);
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = post?.headers ?? {};
      const { keys } = push.engine.get(WebhookKeys).jwks;
      expect(keys).toHaveLength(2);
      expect(Number(at)).toBe(Math.floor(push.clock.now() / 1_000));
      const content = Buffer.from(`${id}.${at}.${post?.body}`);
      const results = signatures.split(' ').map((signature, index) => {
        const key = createPublicKey({ key: { ...keys[index] }, format: 'jwk' });
        return verify(null, content, key, Buffer.from(signature.replace('v1a,', ''), 'base64'));
      });
      expect(results).toEqual([true, true]);
    });

    it('signed with the secret of the client too, which is then not sent', async () => {
      await start();
      const secret = Buffer.alloc(32, 7).toString('base64');
      await push.sendWithHook(push.script('three', threeUpdates), { url: HOOK, token: `whsec_${secret}` });
      const [post] = await push.receivers.until(1);
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = post?.headers ?? {};
      const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${at}.${post?.body}`).digest('base64');
      expect(signatures.split(' ')).toContain(`v1,${mac}`);
      expect(JSON.stringify(post?.headers)).not.toContain(secret);
    });

    it('with sequence numbers, when the client asked for them', async () => {
      await start({ agent: { extensions: [EVENT_SEQUENCE_EXTENSION] } });
      const call = incomingCall({ headers: { 'a2a-extensions': EVENT_SEQUENCE_URI } });
      const configuration = { taskPushNotificationConfig: { url: HOOK } };
      await push.engine.sendForTask(push.script('three', threeUpdates), { configuration }, call);
      const posts = await push.receivers.until(4);
      const sequences = posts.map(({ body }) => /"sequence":(\d+)/.exec(body)?.[1]);
      expect(sequences).toEqual(['1', '2', '3', '4']);
      expect(posts[0]?.headers['a2a-extensions']).toBe(EVENT_SEQUENCE_URI);
    });
  });
});
