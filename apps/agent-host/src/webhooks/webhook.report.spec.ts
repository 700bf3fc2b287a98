import { type DeadLetter, type StoredPushConfig, type TroubledPush } from '@a2a/a2a-core';
import { describeDone, describeTroubled } from './webhook.report.js';

const letter = (version: number): DeadLetter => ({ version, reason: '404', attempts: 1, atMs: 1_000 });

function push(facts: Partial<StoredPushConfig>, deadLetters: readonly DeadLetter[] = [], taskId = 't'): TroubledPush {
  const scope = { agentId: 'echo', tenant: '', owner: 'u_1' };
  const config = { taskId, configId: 'c', url: 'https://hooks.example/secret-path', secrets: 'v1.sealed', extensions: [] };
  const stored = { ...config, status: 'active', attempts: 0, cursor: 0, ...facts } as const;
  return { ref: { scope, taskId, configId: 'c' }, config: stored, deadLetters };
}

describe('the report on webhooks', () => {
  it('has them under their hosts, with what is wrong and how far each is', () => {
    const said = describeTroubled([
      push({ attempts: 3, url: 'https://down.example:8443/' }),
      push({ status: 'disabled', reason: 'exhausted', cursor: 4 }, [letter(5)]),
      push({ status: 'finished', cursor: 9 }, [letter(2)]),
    ]);
    expect(said.split('\n').map((line) => line.replace(/owner \w+/, 'owner o'))).toEqual([
      'hooks.example: 1 disabled, 2 dead letters',
      '  agent echo owner o task t config c: disabled, the last attempt failed; delivered up to event 4',
      '    event 5: 404 at attempt 1, 1970-01-01T00:00:01.000Z',
      '  agent echo owner o task t config c: finished, delivered up to event 9',
      '    event 2: 404 at attempt 1, 1970-01-01T00:00:01.000Z',
      '',
      'down.example:8443: 1 failing',
      '  agent echo owner o task t config c: failing, 3 attempts; nothing delivered',
      '',
    ]);
    expect(describeTroubled([])).toBe('No webhook is in trouble.\n');
  });

  it('shows some dead letters and counts the others', () => {
    const said = describeTroubled([
      push(
        {},
        Array.from({ length: 8 }, (_, index) => letter(index + 1)),
      ),
    ]);
    expect(said.match(/^ {4}event/gm)).toHaveLength(5);
    expect(said).toContain('    and 3 more\n');
  });

  it('shows neither paths, which may be secret, nor owners, nor anything that moves a terminal’s cursor', () => {
    const said = describeTroubled([push({}, [letter(1)], '\u001b[2Jt')]);
    expect(said).not.toMatch(/secret|sealed|u_1/);
    expect(said).toContain('task "\\u001b[2Jt"');
  });

  it('says of each what was done', () => {
    const said = describeDone([{ push: push({}), outcome: 'delivered again from event 1 on' }]);
    expect(said).toMatch(/^hooks\.example agent echo .* config c: delivered again from event 1 on\n1 webhook\.\n$/);
    expect(describeDone([])).toBe('0 webhooks.\n');
  });
});
