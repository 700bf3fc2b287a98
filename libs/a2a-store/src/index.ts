export { A2aStoreModule } from './a2a-store.module.js';
export { type A2aStoreOptions } from './a2a-store.options.js';
export { StoreHealth } from './store-health.js';
export { openStore } from './open-store.js';
export { type A2aStore } from './store.js';
export { runMigrations } from './migrate.js';
