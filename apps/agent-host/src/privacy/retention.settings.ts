import { type RetentionOptions } from '@a2a/a2a-core';
import { settingNotes, wholeNumber } from '../config/setting-notes.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MOST_DAYS = 36_500;
const expects = `a whole number from 0 to ${MOST_DAYS}; 0 keeps them until somebody deletes them`;

/** Settings of how long things are kept; docs/privacy.md says what else there is to know. */
export const retentionSettings = {
  A2A_RETENTION_TASKS_DAYS: wholeNumber(0, MOST_DAYS).prefault('30').register(settingNotes, {
    means: 'Days that tasks are kept after their end, with all that was said in them',
    expects,
  }),
  A2A_RETENTION_CONTEXTS_DAYS: wholeNumber(0, MOST_DAYS).prefault('90').register(settingNotes, {
    means: 'Days that what agents remember of a context or a caller is kept after it was last written',
    expects,
  }),
};

/** Days to milliseconds; 0 keeps for ever. */
export function toRetention(settings: {
  readonly A2A_RETENTION_TASKS_DAYS: number;
  readonly A2A_RETENTION_CONTEXTS_DAYS: number;
}): RetentionOptions {
  return { tasksMs: toMs(settings.A2A_RETENTION_TASKS_DAYS), contextsMs: toMs(settings.A2A_RETENTION_CONTEXTS_DAYS) };
}

function toMs(days: number): number | undefined {
  return days === 0 ? undefined : days * DAY_MS;
}
