import { TaskState, textOf } from '@a2a/a2a-core';
import { type AgentEngine } from '../../../../../test/support/agent-engine.js';
import { followUp, outline, startConformance } from './fixtures/conformance-engine.js';

describe('the conformance agent, with a person who decides', () => {
  let engine: AgentEngine;
  beforeAll(async () => (engine = await startConformance()));
  afterAll(() => engine.stop());

  it.each([
    ['approve', ['AUTH_REQUIRED', 'WORKING', 'COMPLETED']],
    ['decline', ['AUTH_REQUIRED', 'FAILED']],
  ])('goes on when a person decides to %s, without its client [AUTHT-04]', async (decision, states) => {
    const { id, status } = await engine.run('/auth');
    const { rest } = await engine.subscribe(id);
    await decide(textOf(status?.message), decision);
    expect(outline(await rest).map((line) => line.replace('task ', ''))).toEqual(states);
  });

  it('fails on deny, and takes the approval back', async () => {
    const asked = await engine.run('/auth');
    expect((await followUp(engine, asked, 'what is this?')).status?.state).toBe(TaskState.AUTH_REQUIRED);
    expect((await followUp(engine, asked, 'deny')).status?.state).toBe(TaskState.FAILED);
    expect(await (await fetch(pageOf(textOf(asked.status?.message)))).text()).toContain('Withdrawn');
  });

  function pageOf(text: string): string {
    return `${engine.url}${/\/approvals\/\S+/.exec(text)?.[0]}`;
  }

  async function decide(text: string, decision: string): Promise<void> {
    const page = await (await fetch(pageOf(text))).text();
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const response = await fetch(pageOf(text), { method: 'POST', body: new URLSearchParams({ decision, token }) });
    expect(response.status).toBe(200);
  }
});
