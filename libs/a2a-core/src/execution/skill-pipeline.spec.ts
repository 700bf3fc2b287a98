import { create } from '@bufbuild/protobuf';
import {
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { CurrentTurn, MessageData } from '../agents/skill-params.decorator.js';
import { ListTasksRequestSchema } from '../gen/a2a_pb.js';
import { dataPart, textOf, userMessage } from '../protocol/messages.js';
import { incomingCall, TestEngine } from '../testing/test-engine.js';
import { type TurnContext } from './turn-context.js';

const ABOUT = { name: 'Scripted', description: 'Does what a spec says', tags: ['test'] };

describe('guards on skills', () => {
  @Injectable()
  class Nobody implements CanActivate {
    canActivate(): boolean {
      return false;
    }
  }
  @UseGuards(Nobody)
  @AgentSkill({ id: 'closed', ...ABOUT })
  class ClosedSkill implements Skill {
    execute(): string {
      return 'open';
    }
  }
  @Agent({ id: 'closed', name: 'Closed', description: 'Lets nobody in', version: '1.0.0' })
  class ClosedAgent {}

  it('refuse before a task exists [B14]', async () => {
    const engine = await TestEngine.start([[ClosedAgent, ClosedSkill, Nobody]]);
    await expect(engine.send('x')).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    const { response } = await engine.handler.listTasks(create(ListTasksRequestSchema), incomingCall());
    expect(response.totalSize).toBe(0);
    await engine.close();
  });
});

describe('pipes, interceptors and filters on skills', () => {
  class Doubled implements PipeTransform<number, number> {
    transform(value: number): number {
      if (typeof value !== 'number') throw new BadRequestException('a number is wanted');
      return value * 2;
    }
  }
  class Wrapping implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(map((value) => `${context.getType()}: ${String(value)}`));
    }
  }
  class Odd extends Error {}
  @Catch(Odd)
  class OddFilter implements ExceptionFilter {
    catch(): string {
      return 'caught';
    }
  }
  @UseInterceptors(Wrapping)
  @UseFilters(OddFilter)
  @AgentSkill({ id: 'piped', ...ABOUT, inputModes: ['application/json', 'text/plain'] })
  class PipedSkill {
    execute(@MessageData(new Doubled()) doubled: number, @CurrentTurn() turn: TurnContext): string {
      if (doubled > 100) throw new Odd(turn.text);
      return String(doubled);
    }
  }
  @Agent({ id: 'piped', name: 'Piped', description: 'Goes through pipes', version: '1.0.0' })
  class PipedAgent {}

  let engine: TestEngine;
  beforeAll(async () => (engine = await TestEngine.start([[PipedAgent, PipedSkill]])));
  afterAll(() => engine.close());
  const replyTo = async (data: number | string) => textOf((await engine.send(userMessage(dataPart(data)))).payload.value as never);

  it('apply as they do on controllers', async () => {
    expect(await replyTo(21)).toBe('a2a: 42');
    expect(await replyTo(51)).toBe('caught');
    await expect(replyTo('x')).rejects.toMatchObject({ reason: 'INVALID_PARAMS', message: 'a number is wanted' });
  });
});
