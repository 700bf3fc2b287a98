import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { type TurnContext } from '../execution/turn-context.js';
import { type StreamResponse, type Task, TaskState } from '../gen/a2a_pb.js';
import { Clock } from '../clock.js';
import { textOf } from '../protocol/messages.js';
import { ManualClock } from './manual-clock.js';
import { TestEngine } from './test-engine.js';

/** What the agent does with a turn: anything that a skill may do. */
export type Script = (turn: TurnContext) => unknown;

const scripts = new Map<string, Script>();

/**
 * Teaches the scripted agent what to do with a message whose text is `name`, and with further messages on the task.
 *
 * @returns the name
 */
export function script(name: string, run: Script): string {
  scripts.set(name, run);
  return name;
}

@AgentSkill({ id: 'scripted', name: 'Scripted', description: 'Does what a spec says', tags: ['test'] })
class ScriptedSkill implements Skill {
  execute(turn: TurnContext) {
    const run = scripts.get(turn.text) ?? (turn.task ? scripts.get(textOf(turn.task.history[0])) : undefined);
    if (!run) throw new Error(`No script ${turn.text}`);
    return run(turn) as string;
  }
}

@Agent({ id: 'scripted', name: 'Scripted', description: 'Does what a spec says', version: '1.0.0' })
class ScriptedAgent {}

/** The engine with the scripted agent alone. No time passes in it until the clock is told so. */
export async function startScripted(): Promise<{ readonly engine: TestEngine; readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const engine = await TestEngine.start([[ScriptedAgent, ScriptedSkill]], {}, { overrides: [{ provide: Clock, useValue: clock }] });
  return { engine, clock };
}

/** Name of the task's state, such as `COMPLETED`. */
export function stateOf(task: Task | undefined): string {
  return TaskState[task?.status?.state ?? 0] ?? '';
}

/** An event in short: `task SUBMITTED`, `status WORKING`, `artifact text+.` with `+` for append and `.` for the last chunk. */
export function brief({ payload }: StreamResponse): string {
  switch (payload.case) {
    case 'task':
      return `task ${stateOf(payload.value)}`;
    case 'statusUpdate':
      return `status ${TaskState[payload.value.status?.state ?? 0]}`;
    case 'artifactUpdate':
      return `artifact ${textOf(payload.value.artifact)}${payload.value.append ? '+' : ''}${payload.value.lastChunk ? '.' : ''}`;
    default:
      return String(payload.case);
  }
}
