import { type TaskScope } from '../../tasks/task-scope.js';

/** Names one webhook anywhere in the store. */
export interface PushRef {
  readonly scope: TaskScope;
  readonly taskId: string;
  readonly configId: string;
}

/** What a client registered for one task, as it is stored. */
export interface PushConfig {
  readonly taskId: string;
  readonly configId: string;
  readonly url: string;
  /** Authentication scheme in its well-known spelling; undefined for none. */
  readonly scheme?: string;
  /** Token and credentials, sealed by `SecretSeal`. */
  readonly secrets: string;
  /** Extensions in force when the config was made. */
  readonly extensions: readonly string[];
}

/** A config on its way into the store. */
export interface PushConfigDraft extends PushConfig {
  /** Version of the last event that is not delivered. Counts for a new config only: one that is replaced goes on where it is. */
  readonly cursor: number;
  /** The task has ended at `cursor`. */
  readonly isFinished: boolean;
}

/** How many configs there may be. */
export interface PushConfigLimits {
  readonly perTask: number;
  /** Active ones of one scope. */
  readonly perOwner: number;
}

/** `finished`: the task has ended and its last event is dealt with. `disabled`: stopped until somebody starts it again. */
export type PushStatus = 'active' | 'finished' | 'disabled';

/** Why deliveries stopped before the task ended. */
export type DisabledReason =
  /** The receiver answered 410. */
  | 'gone'
  /** The last attempt of one event failed. */
  | 'exhausted'
  /** The secrets cannot be opened with the keys of this host. */
  | 'sealed';

export interface StoredPushConfig extends PushConfig {
  readonly status: PushStatus;
  readonly reason?: DisabledReason;
  /** Failed attempts of the event behind the cursor. */
  readonly attempts: number;
  /** Version of the last event that was dealt with. */
  readonly cursor: number;
}

/** The right of one process to deliver for a config, until its lease is over or somebody changes the config. */
export interface PushClaim {
  readonly ref: PushRef;
  /** Names the claim; a later one has another. */
  readonly holder: string;
  readonly config: PushConfig;
  readonly cursor: number;
  readonly attempts: number;
}

/** An event that its receiver will not take. It is still in the task's log, from where it can be sent again. */
export interface DeadLetter {
  readonly version: number;
  /** For operators: a status code, or the class of a failure. */
  readonly reason: string;
  readonly attempts: number;
  /** Unix epoch, milliseconds. */
  readonly atMs: number;
}

/** What becomes of a config when a process lets go of it. */
export type PushRest =
  /** Nothing to do until the task goes on. */
  | { readonly kind: 'parked' }
  | { readonly kind: 'retry'; readonly attempts: number; readonly delayMs: number }
  | { readonly kind: 'finished' }
  | { readonly kind: 'disabled'; readonly reason: DisabledReason };

/** `behind`: not parked, because the task has gone on; the claim is still held. `lost`: the claim was over. */
export type PushReleased = 'released' | 'behind' | 'lost';

export type PushSaved = 'saved' | 'no such task' | 'too many for the task' | 'too many for the owner';

/** A page over configs, in an order of the store's own. */
export interface PushPage<Item> {
  readonly items: readonly Item[];
  /** Give it back for the next page; undefined at the end. */
  readonly next?: number;
}

/** A config that an operator may want to look at. */
export interface TroubledPush {
  readonly ref: PushRef;
  readonly config: StoredPushConfig;
  /** Oldest first. */
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * Stores webhooks and how far each has come in its task's log. The log is the queue: nothing is written for an event until it is dealt with.
 *
 * - At most one claim on a config holds at a time, whichever process asks; a claim that is over changes nothing any more.
 * - Leases and delays run by the store's own clock.
 * - Saving and deleting end a claim at once.
 * - What lies outside `scope` does not exist (A2A §3.3.2, §13.1). Methods for deliveries and for operators work across scopes.
 */
export abstract class PushConfigRepository {
  /**
   * Adds a config, or replaces one of the same task and id. One that is replaced goes on behind its cursor, at once and with all attempts
   * anew, also when it was disabled; when it had finished it stays so.
   */
  abstract save(scope: TaskScope, draft: PushConfigDraft, limits: PushConfigLimits): Promise<PushSaved>;

  abstract find(scope: TaskScope, taskId: string, configId: string): Promise<StoredPushConfig | undefined>;

  /** In the order of their ids. @param after id of the last config of the page before */
  abstract list(scope: TaskScope, taskId: string, after: string | undefined, limit: number): Promise<StoredPushConfig[]>;

  /** Removes the config and its dead letters. Succeeds when there is none. */
  abstract delete(scope: TaskScope, taskId: string, configId: string): Promise<void>;

  /** Active configs of the scope. */
  abstract countActive(scope: TaskScope): Promise<number>;

  /**
   * Takes a config that is active, and parked or due.
   *
   * @param holder unique to this claim
   * @returns undefined when there is nothing to take: absent, not active, held by another, or waiting for a retry
   */
  abstract claim(ref: PushRef, holder: string, leaseMs: number): Promise<PushClaim | undefined>;

  /** Makes claims last for `leaseMs` from now. @returns the holders of those that still hold */
  abstract renew(claims: readonly PushClaim[], leaseMs: number): Promise<ReadonlySet<string>>;

  /**
   * Everything up to `cursor` is dealt with; the claim lasts for `leaseMs` from now.
   *
   * @param letter the event at `cursor`, when it could not be delivered
   * @returns false when the claim is over
   */
  abstract advance(claim: PushClaim, cursor: number, leaseMs: number, letter?: DeadLetter): Promise<boolean>;

  /** Ends a claim. @param letter an event that could not be delivered */
  abstract release(claim: PushClaim, cursor: number, rest: PushRest, letter?: DeadLetter): Promise<PushReleased>;

  /** Configs whose retry is due or whose holder is gone, longest due first. */
  abstract findDue(limit: number): Promise<PushRef[]>;

  /** Parked configs whose task has gone on without anybody telling. @param after `next` of the page before; a page may be empty */
  abstract findBehind(after: number, limit: number): Promise<PushPage<PushRef>>;

  /** The active configs of some tasks. */
  abstract findActive(tasks: readonly Omit<PushRef, 'configId'>[]): Promise<PushRef[]>;

  /** Configs that are disabled, failing, or have dead letters. */
  abstract findTroubled(after: number, limit: number): Promise<PushPage<TroubledPush>>;

  /**
   * Sends a config back, so that everything behind `cursor` is delivered again. It is active and due afterwards, and dead letters behind
   * `cursor` are gone. It is never sent forward, and one that has finished stays so when there is nothing to send again.
   *
   * @param cursor default: before the first dead letter, or where it is
   * @returns false when there is no such config
   */
  abstract rewind(ref: PushRef, cursor?: number): Promise<boolean>;

  /** Removes the dead letters of a config, and changes nothing else of it. @returns how many there were */
  abstract forgetLetters(ref: PushRef): Promise<number>;
}
