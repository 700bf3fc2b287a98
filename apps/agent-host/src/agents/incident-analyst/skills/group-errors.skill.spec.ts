import { textOf } from '@a2a/a2a-core';
import { incident } from '../fixtures/incident-files.js';
import { modesOf, runSkill } from '../fixtures/run-skill.js';
import { GroupErrorsSkill } from './group-errors.skill.js';

const LOGS = incident('deadlock-postgres');

describe('group-errors', () => {
  it.each([
    [[], 'errors application/json'],
    [['text/csv'], 'errors text/csv'],
    [['text/markdown'], 'errors text/markdown'],
  ])('answers in what the caller accepts: %j', async (acceptedOutputModes, mode) => {
    expect(modesOf(await runSkill(new GroupErrorsSkill(), { message: LOGS, acceptedOutputModes }))).toEqual([mode]);
  });

  it('writes CSV that a spreadsheet reads and never runs', async () => {
    const { artifacts } = await runSkill(new GroupErrorsSkill(), {
      message: 'ERROR: =cmd() failed, "twice"',
      acceptedOutputModes: ['text/csv'],
    });
    expect(textOf(artifacts[0])).toBe(
      'signature,count,severity,first_seen,first_line,last_seen,last_line,sources\r\n"\'=cmd() failed, <text>",1,error,,1,,1,\r\n',
    );
  });
});
