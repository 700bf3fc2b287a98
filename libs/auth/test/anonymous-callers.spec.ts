import { type CallSeed } from '@a2a/a2a-core';
import { useAttackedHost } from './support/attacked-host.js';
import { headers } from './support/auth-host.js';

const { at } = useAttackedHost();

describe('A26: callers without credentials', () => {
  const ownerOf = async (seed: Partial<CallSeed>, mount = 'open') => (await at(mount, seed)).principal?.owner;
  const session = headers({ 'a2a-anonymous-session': 'q7Vb0m1x2c3v4b5n6m7A8s' });

  it('do not share an owner', async () => {
    expect(await ownerOf({})).not.toBe(await ownerOf({}));
    expect(await ownerOf({ connectionId: 'one' })).not.toBe(await ownerOf({ connectionId: 'two' }));
  });

  it('own what they made on the same connection, or under the same secret of their own', async () => {
    expect(await ownerOf({ connectionId: 'one' })).toBe(await ownerOf({ connectionId: 'one' }));
    expect(await ownerOf({ ...session, connectionId: 'one' })).toBe(await ownerOf({ ...session, connectionId: 'two' }));
  });

  it('cannot choose a secret that others would guess', async () => {
    const short = headers({ 'a2a-anonymous-session': 'me' });
    expect(await ownerOf(short)).not.toBe(await ownerOf(short));
  });

  it('cannot reach another kind of owner', async () => {
    const owners = [await ownerOf(session), await ownerOf({ connectionId: 'q7Vb0m1x2c3v4b5n6m7A8s' })];
    expect(new Set(owners).size).toBe(2);
    expect(owners.every((owner) => owner?.startsWith('anon_'))).toBe(true);
  });

  it('share one owner where an agent says so', async () => {
    expect(await ownerOf({}, 'demo')).toBe('anonymous');
  });
});
