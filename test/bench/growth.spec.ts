import { Module } from '@nestjs/common';
import { AgentEngine } from '../support/agent-engine.js';
import { BenchAgent } from './servers/ours.agent.js';

@Module({ providers: [BenchAgent] })
class BenchModule {}

const SHORT = 250;
const LONG = 2_000;

describe('a task that grows', () => {
  let engine: AgentEngine;

  beforeAll(async () => {
    engine = await AgentEngine.start('bench', [BenchModule]);
  });
  afterAll(() => engine.stop());

  /** @returns CPU microseconds of the cheapest of a few */
  const costOf = async (chunks: number): Promise<number> => {
    let least = Infinity;
    for (let time = 0; time < 3; time++) {
      const before = process.cpuUsage();
      const events = await engine.stream(`stream ${chunks}`);
      expect(events.length).toBeGreaterThan(chunks);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return least;
  };

  it('costs in proportion to its events: rewriting it for each would be the square [W8a]', async () => {
    await costOf(SHORT);
    const exponent = Math.log((await costOf(LONG)) / (await costOf(SHORT))) / Math.log(LONG / SHORT);
    expect(exponent).toBeLessThan(1.5);
  });
});
