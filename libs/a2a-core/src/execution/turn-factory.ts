import { Injectable, Optional } from '@nestjs/common';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { SkillAccess } from '../agents/skill-access.js';
import { Audit } from '../audit/audit.js';
import { A2aLogger } from '../logging.js';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { StateStore } from '../tasks/state-store.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { type PendingTurn } from './pending-turn.js';
import { type TaskRef } from './task-resumer.js';
import { type TaskWriter } from './task-writer.js';
import { Turn } from './turn.js';
import { type SharedReach, TurnReach } from './turn-reach.js';

/** Builds the TurnContext an agent gets. */
@Injectable()
export class TurnFactory {
  readonly #shared: SharedReach;

  constructor(
    repository: TaskRepository,
    state: StateStore,
    log: TaskEventLog,
    logger: A2aLogger,
    audit: Audit,
    access: SkillAccess,
    @Optional() http?: OutboundHttp,
  ) {
    this.#shared = { repository, state, log, logger, audit, access, http };
  }

  make(agent: HostedAgent, ref: TaskRef, pending: PendingTurn, writer: TaskWriter): Turn {
    const { request, contextId, before } = pending;
    const facts = { request, ref, contextId, task: before ?? writer.task };
    return new Turn(facts, new TurnReach(this.#shared, agent, ref, pending, writer));
  }
}
