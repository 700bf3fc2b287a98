import { type Principal } from '../call/principal.js';
import { type HostedAgent, type HostedSkill } from './hosted-agent.js';

/** The use of one skill by one caller. */
export interface SkillUse {
  readonly agent: HostedAgent;
  readonly skill: HostedSkill;
  readonly principal: Principal;
  readonly tenant: string;
  /** Undefined before a task exists. */
  readonly taskId?: string;
}

/** Decides who may use which skill. A skill's rule is added to the agent's, it never replaces it (A2A §4.4.5, §13.1). */
export abstract class SkillAccess {
  /**
   * Ask before a task exists, and again inside a turn for a step that needs more.
   *
   * @throws {A2aError} UNAUTHENTICATED or PERMISSION_DENIED, naming the missing scope and no resource
   */
  abstract check(use: SkillUse): Promise<void>;

  /** The same question for lists, such as the skills of an extended card. */
  abstract isAllowed(use: SkillUse): Promise<boolean>;
}

/** For hosts whose skills ask for nothing. */
export class OpenSkillAccess extends SkillAccess {
  async check(): Promise<void> {}

  async isAllowed(): Promise<boolean> {
    return true;
  }
}
