import { userInfo } from 'node:os';
import { UsageError } from '../commands/usage.error.js';
import { parseWebhookRequest } from './webhook.arguments.js';

const parse = (line: string) => parseWebhookRequest(line.split(' '));

describe('the arguments of webhooks', () => {
  it('list all that is in trouble unless something narrower is named', () => {
    expect(parse('list')).toEqual({ verb: 'list', which: {}, by: userInfo().username });
    expect(parse('list --host Hooks.Example.com:8443').which).toEqual({ host: 'hooks.example.com:8443' });
  });

  it('replay and drop what fits all that is named, in somebody’s name', () => {
    const which = { agentId: 'echo', taskId: 't', configId: 'c' };
    expect(parse('replay --agent echo --task t --config c --by ada')).toEqual({ verb: 'replay', which, by: 'ada' });
    expect(parse('drop --all')).toMatchObject({ verb: 'drop', which: {} });
  });

  it.each(['', 'all', 'list replay', 'replay', 'drop --by ada', 'replay --all --host h', 'list --everything', 'list --host'])(
    '"%s" is refused with all that there is',
    (line) => {
      const refused = (): unknown => parse(line);
      expect(refused).toThrow(UsageError);
      expect(refused).toThrow('npm run webhooks -- list');
    },
  );
});
