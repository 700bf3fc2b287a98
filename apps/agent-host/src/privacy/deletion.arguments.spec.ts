import { userInfo } from 'node:os';
import { ownerKey } from '@a2a/auth';
import { UsageError } from '../commands/usage.error.js';
import { parseDeletionRequest, USAGE } from './deletion.arguments.js';

const parse = (line: string) => parseDeletionRequest(line.split(' '));

describe('the arguments of data:delete', () => {
  it('name an owner by key, everywhere unless something narrower is named', () => {
    expect(parse('--owner u_1 --by me')).toEqual({ owner: 'u_1', by: 'me' });
    expect(parse('--owner u_1 --agent echo')).toMatchObject({ owner: 'u_1', agentId: 'echo', tenant: undefined });
    expect(parse('--owner u_1 --agent echo --tenant=')).toMatchObject({ agentId: 'echo', tenant: '' });
  });

  it('make the key as the host makes it, from whom the caller is', () => {
    const [issuer, subject] = ['https://id.example', 'alice'];
    expect(parse('--issuer https://id.example --subject alice').owner).toBe(ownerKey({ realm: 'token', issuer, subject }));
    expect(parse('--issuer keys --subject robot --realm api-key').owner).toBe(
      ownerKey({ realm: 'api-key', issuer: 'keys', subject: 'robot' }),
    );
    expect(parse('--issuer https://id.example --subject alice --client app').owner).toBe(
      ownerKey({ realm: 'token', issuer, subject, clientId: 'app', ownedByClient: true }),
    );
  });

  it('name a task or a context of one agent, in no tenant unless one is named', () => {
    expect(parse('--owner u --agent a --task t')).toMatchObject({ agentId: 'a', tenant: '', taskId: 't' });
    expect(parse('--owner u --agent a --tenant acme --context c')).toMatchObject({ tenant: 'acme', contextId: 'c' });
  });

  it('sign with the user of this machine where nobody is named', () => {
    expect(parse('--owner u').by).toBe(userInfo().username);
  });

  it.each([
    '--agent echo',
    '--owner u --issuer i --subject s',
    '--issuer i',
    '--subject s',
    '--owner u --task t',
    '--owner u --context c',
    '--owner u --agent a --task t --context c',
    '--owner u --everything',
    '--owner u stray',
    '--owner',
  ])('"%s" is refused with all that there is', (line) => {
    const refused = (): unknown => parse(line);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(USAGE);
  });
});
