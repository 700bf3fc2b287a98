import { type PushConfigRepository, type StateStore, type TaskRepository } from '@a2a/a2a-core';
import { type StoreHealth } from './store-health.js';

/** An open database and the ports it serves. */
export interface A2aStore {
  readonly tasks: TaskRepository;
  readonly states: StateStore;
  readonly pushConfigs: PushConfigRepository;
  readonly health: StoreHealth;
  /** Waits for what is being written, then closes. Later calls fail with UNAVAILABLE. */
  close(): Promise<void>;
}
