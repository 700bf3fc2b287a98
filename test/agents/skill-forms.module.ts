import { type CanActivate, type ExecutionContext, Injectable, Module, UseGuards } from '@nestjs/common';
import { Agent, type AgentEvent, AgentSkill, Clock, dataPart, type Message, type Skill, type TurnContext } from '@a2a/a2a-core';

@AgentSkill({ id: 'greet', name: 'Greet', description: 'Greets you', tags: ['example'] })
export class GreetSkill implements Skill {
  execute(turn: TurnContext): string {
    return `Hello, ${turn.text}!`;
  }
}

@AgentSkill({ id: 'dice', name: 'Dice', description: 'Rolls a die', tags: ['example'], outputModes: ['application/json'] })
export class DiceSkill implements Skill {
  execute(turn: TurnContext): Message {
    return turn.reply(dataPart({ rolled: 1 + Math.floor(Math.random() * 6) }));
  }
}

@AgentSkill({ id: 'measure', name: 'Measure', description: 'Measures a text', tags: ['example'], outputModes: ['application/json'] })
export class MeasureSkill implements Skill {
  async execute(turn: TurnContext): Promise<object> {
    return { characters: turn.text.length, words: turn.text.split(/\s+/).length };
  }
}

@AgentSkill({ id: 'spell', name: 'Spell', description: 'Spells a word', tags: ['example'] })
export class SpellSkill implements Skill {
  async *execute(turn: TurnContext): AsyncIterable<string> {
    for (const letter of turn.text) yield `${letter}\n`;
  }
}

@AgentSkill({ id: 'report', name: 'Report', description: 'Writes a report', tags: ['example'] })
export class ReportSkill implements Skill {
  constructor(private readonly clock: Clock) {}

  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    yield turn.working('Reading');
    await this.clock.sleep(20, turn.signal);
    yield turn.artifact(`# ${turn.text}`, { name: 'report.md' });
    yield turn.completed('One report written');
  }
}

@AgentSkill({ id: 'fail', name: 'Fail', description: 'Fails', tags: ['example'] })
export class FailSkill implements Skill {
  execute(): never {
    throw new Error('connect ECONNREFUSED db-1.internal:5432');
  }
}

@AgentSkill({ id: 'order', name: 'Order', description: 'Orders a pizza', tags: ['example'] })
export class OrderSkill implements Skill {
  async execute(turn: TurnContext): Promise<AgentEvent> {
    if (!turn.task) return turn.requireInput('Which size?');
    return turn.completed(`A ${turn.text} one it is`);
  }
}

@AgentSkill({ id: 'charge', name: 'Charge', description: 'Charges once', tags: ['example'] })
export class ChargeSkill implements Skill {
  async execute(turn: TurnContext): Promise<AgentEvent> {
    const receipt = await turn.memo('charge', () => `R-${Date.now()}`);
    const orders = await turn.callerStore.update('orders', (present) => (typeof present === 'number' ? present : 0) + 1);
    return turn.requireInput(`Charged with ${receipt}, ${orders} so far. Anything else?`);
  }
}

@Injectable()
export class WorkingHours implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [turn] = context.getArgs<[TurnContext]>();
    return turn.text !== 'at night';
  }
}

@UseGuards(WorkingHours)
@AgentSkill({ id: 'deliver', name: 'Deliver', description: 'Delivers by day', tags: ['example'] })
export class DeliverSkill implements Skill {
  execute(): string {
    return 'On its way';
  }
}

@Agent({
  id: 'forms',
  name: 'Forms',
  description: 'Every form of a skill',
  version: '1.0.0',
  defaultOutputModes: ['text/plain', 'application/json'],
})
export class FormsAgent {}

@Module({
  providers: [
    FormsAgent,
    GreetSkill,
    DiceSkill,
    MeasureSkill,
    SpellSkill,
    ReportSkill,
    FailSkill,
    OrderSkill,
    ChargeSkill,
    DeliverSkill,
    WorkingHours,
  ],
})
export class FormsModule {}
