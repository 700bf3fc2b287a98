import { partData } from '@a2a/a2a-core';
import { incident } from '../fixtures/incident-files.js';
import { modesOf, runSkill } from '../fixtures/run-skill.js';
import { TimelineSkill } from './timeline.skill.js';

const LOGS = incident('deadlock-postgres');

describe('timeline', () => {
  it('answers with the timeline alone, as text or data', async () => {
    expect(modesOf(await runSkill(new TimelineSkill(), { message: LOGS }))).toEqual(['timeline text/markdown']);
    const { artifacts } = await runSkill(new TimelineSkill(), { message: LOGS, acceptedOutputModes: ['application/json'] });
    const part = artifacts[0]?.parts[0];
    expect(part && partData(part)).toMatchObject({
      timeline: expect.arrayContaining([expect.objectContaining({ kind: 'problem', time: '2026-11-30T06:05:10.114Z' })]),
    });
  });

  it('refuses to answer in a form it cannot make', async () => {
    await expect(runSkill(new TimelineSkill(), { message: LOGS, acceptedOutputModes: ['image/png'] })).rejects.toThrow(
      'A timeline can be made as',
    );
  });
});
