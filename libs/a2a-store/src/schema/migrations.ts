import { TaskLog1796000000000 } from './1796000000000-task-log.migration.js';
import { Removal1796200000000 } from './1796200000000-removal.migration.js';
import { Push1796300000000 } from './1796300000000-push.migration.js';

/** In the order they run. A migration that was released never changes; the next one follows it. */
export const MIGRATIONS = [TaskLog1796000000000, Removal1796200000000, Push1796300000000];

/** Of this library alone, so that it can live beside an application's own tables and migrations. */
export const MIGRATIONS_TABLE = 'a2a_migration';
