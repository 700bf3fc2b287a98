import { type Message, textOf } from '@a2a/a2a-core';
import { AgentEngine } from '../../../../../test/support/agent-engine.js';
import { EchoModule } from './echo.module.js';

describe('the echo agent', () => {
  let engine: AgentEngine;

  beforeAll(async () => {
    engine = await AgentEngine.start('echo', [EchoModule]);
  });
  afterAll(() => engine.stop());

  it('says what it was told, in a message and without a task [SEND-02]', async () => {
    const answer = await engine.send('Hello,\n  world');
    expect(answer.$typeName).toBe('lf.a2a.v1.Message');
    expect(textOf(answer as Message)).toBe('Hello,\n  world');
    expect((answer as Message).taskId).toBe('');
  });
});
