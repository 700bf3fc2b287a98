import { once } from 'node:events';
import { type Behaviour } from '../behaviour.js';

/** WORKING, a pause, COMPLETED. A cancel ends the pause at once. */
export function worksFor(ms: number, text = 'Done'): Behaviour {
  return async function* (turn, { clock }) {
    yield turn.working();
    await clock.sleep(ms, turn.signal);
    yield turn.completed(text);
  };
}

/** WORKING until somebody cancels the task. */
export const worksUntilCanceled: Behaviour = async function* (turn) {
  yield turn.working();
  if (!turn.signal.aborted) await once(turn.signal, 'abort');
  turn.signal.throwIfAborted();
};

/** As `worksFor`, but deaf to cancels: it goes on, and tries to give an artifact and to complete. */
export function worksStubbornlyFor(ms: number): Behaviour {
  return async function* (turn, { clock }) {
    yield turn.working();
    await clock.sleep(ms);
    yield turn.artifact('too late');
    yield turn.completed();
  };
}

/** WORKING, and the turn ends at once. A timer goes on with the task, without any message. */
export function detachesFor(ms: number): Behaviour {
  return async function* (turn, { clock, resumer, closing }) {
    yield turn.working();
    turn.detach();
    const timer = clock.sleep(ms, closing).then(() => resumer.resume(turn.ref));
    timer.catch((error: unknown) => turn.logger.info('a detached task did not go on', { error }));
  };
}
