import { type Content } from '@a2a/a2a-core';
import { type Behaviour } from '../behaviour.js';

export function completes(text: string): Behaviour {
  return async function* (turn) {
    yield turn.completed(text);
  };
}

export function rejects(text: string): Behaviour {
  return async function* (turn) {
    yield turn.rejected(text);
  };
}

export function fails(text: string): Behaviour {
  return async function* (turn) {
    yield turn.failed(text);
  };
}

/** A Message and no task; once there is a task, answers on it are tasks (A2A §3.4.3), so there it completes. */
export function answers(content: Content): Behaviour {
  return async function* (turn) {
    yield turn.task ? turn.completed(content) : turn.reply(content);
  };
}
