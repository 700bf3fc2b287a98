import { dataPart } from '@a2a/a2a-core';
import { type Behaviour } from '../behaviour.js';

/** The caller as the agent sees it. */
export const tellsWhoCalls: Behaviour = async function* (turn) {
  const { principal } = turn;
  yield turn.artifact(
    dataPart({
      principal: principal.owner,
      authenticated: principal.authenticated,
      displayName: principal.displayName ?? null,
      tenant: turn.tenant,
      scopes: [...principal.scopes],
      agent: turn.agentId,
      activatedExtensions: [...turn.activatedExtensions],
    }),
  );
  yield turn.completed();
};

/** Where the task ran. */
export const tellsWhereItRuns: Behaviour = async function* (turn, { replica }) {
  yield turn.artifact(dataPart({ pid: process.pid, replica }));
  yield turn.completed();
};

/** Ids of the tasks that the message refers to and the caller may see. */
export const tellsReferences: Behaviour = async function* (turn) {
  const found = await turn.referencedTasks();
  yield turn.artifact(dataPart({ references: found.map(({ id }) => id) }));
  yield turn.completed();
};

/** Counts executions, so that a second one of the same message is seen. Deliberately not a memo. */
export function counts(key: string, where: 'caller' | 'context'): Behaviour {
  return async function* (turn) {
    const store = where === 'context' ? turn.contextStore : turn.callerStore;
    const count = await store.update(`count:${key}`, (present) => (typeof present === 'number' ? present : 0) + 1);
    yield turn.artifact(dataPart({ key, count: count ?? null }));
    yield turn.completed(String(count));
  };
}
