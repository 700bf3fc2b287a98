import { Inject, Injectable } from '@nestjs/common';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type CallContext } from '../call/call-context.js';
import { withEventSequence } from '../extensions/event-sequence.extension.js';
import { type Task } from '../gen/a2a_pb.js';
import { withHistory } from '../tasks/task-fold.js';

/** Tasks as one caller asked for them. */
@Injectable()
export class TaskViews {
  constructor(@Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions) {}

  /** @param historyLength as the request has it; undefined for the host's default (A2A §3.2.4) */
  task(
    { task, head }: { readonly task: Task; readonly head: { readonly version: number } },
    call: CallContext,
    historyLength: number | undefined,
  ): Task {
    return withEventSequence(withHistory(task, historyLength ?? this.options.defaultHistoryLength), head.version, call.activatedExtensions);
  }
}
