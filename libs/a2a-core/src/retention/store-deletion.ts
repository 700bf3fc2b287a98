import { Audit } from '../audit/audit.js';
import { LoggedAuditTrail } from '../audit/logged-audit.trail.js';
import { SystemClock } from '../clock.js';
import { type A2aLogger } from '../logging.js';
import { type PushConfigRepository } from '../push/configs/push-config.repository.js';
import { type StateStore } from '../tasks/state-store.js';
import { InProcessTaskEventBus } from '../tasks/task-event-bus.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { type TaskRepository } from '../tasks/task-repository.js';
import { DataDeletion } from './data-deletion.js';
import { TaskData } from './task-data.js';
import { type TaskDataHolder } from './task-data.holder.js';
import { TaskEnder } from './task-ender.js';

/** What a store serves. */
export interface DeletableStore {
  readonly tasks: TaskRepository;
  readonly states: StateStore;
  readonly pushConfigs: PushConfigRepository;
}

/** DataDeletion on a store alone, for commands that run beside a host or without one. Records of it go to `logger`. */
export function storeDeletion(
  { tasks, states, pushConfigs }: DeletableStore,
  logger: A2aLogger,
  holders: readonly TaskDataHolder[] = [],
): DataDeletion {
  const clock = new SystemClock();
  const log = new TaskEventLog(tasks, new InProcessTaskEventBus(), logger);
  const audit = new Audit(new LoggedAuditTrail(logger), clock, logger);
  const data = new TaskData(pushConfigs);
  for (const holder of holders) data.add(holder);
  return new DataDeletion(tasks, states, log, data, new TaskEnder(log, clock), audit);
}
