import * as os from 'node:os';
import { readArguments, userOfMachine } from './arguments.js';
import { UsageError } from './usage.error.js';

jest.mock('node:os', () => ({ ...jest.requireActual<typeof os>('node:os'), userInfo: jest.fn() }));

describe('arguments of a command', () => {
  it('are refused with all that there is when they are none of it', () => {
    const read = () => readArguments({ args: ['--nonsense'], options: {} }, 'npm run thing');
    expect(read).toThrow(UsageError);
    expect(read).toThrow(/npm run thing/);
  });
});

describe('the user of this machine', () => {
  it('has a name', () => {
    jest.mocked(os.userInfo).mockReturnValueOnce({ ...jest.requireActual<typeof os>('node:os').userInfo(), username: 'ann' });
    expect(userOfMachine()).toBe('ann');
  });

  it('has a number where nobody gave it a name', () => {
    jest.mocked(os.userInfo).mockImplementationOnce(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
    expect(userOfMachine()).toBe(`uid ${process.getuid?.()}`);
  });
});
