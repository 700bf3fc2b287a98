/** What `A2aCoreModule.forRoot` takes. Every limit has a default that suits an ordinary host. */
export interface A2aCoreOptions {
  /** Absolute URL under which clients reach this host, such as `https://agents.example.com`; cards are made from it. No trailing slash. */
  readonly publicUrl: string;
  /** Id of the agent served at the root paths. Default: the only agent; an error at start when there are several. */
  readonly defaultAgent?: string;
  /** Key material for page tokens, at least 16 characters; the same on all replicas. Default: random, so tokens end with the process. */
  readonly secret?: string;
  /** Protocol version of a request that names none. Default `0.3`, which is refused (A2A §3.6.2); `1.0` is lenient. */
  readonly assumeVersionWhenMissing?: '0.3' | '1.0';
  /** Longest a blocking send waits before it answers with the task as it is. Milliseconds, default 300 000. */
  readonly blockingTimeoutMs?: number;
  /** How long an agent may think before its answer becomes a task. Milliseconds, default 1 000. */
  readonly taskAfterMs?: number;
  /** How long a cancel waits for the agent to stop by itself. Milliseconds, default 5 000. */
  readonly cancelTimeoutMs?: number;
  /** How long running turns may go on after the host was told to stop. Milliseconds, default 10 000. */
  readonly drainTimeoutMs?: number;
  /** Messages of history returned when a request sets no historyLength. Default: all. */
  readonly defaultHistoryLength?: number;
  readonly limits?: Partial<RequestLimits>;
}

/** Sizes beyond which a request is refused as INVALID_PARAMS, before anything is stored. */
export interface RequestLimits {
  /** Characters of an id. Default 256. */
  readonly idLength: number;
  /** Parts of a message. Default 256. */
  readonly parts: number;
  /** Encoded bytes of the metadata of a request or message. Default 65 536. */
  readonly metadataBytes: number;
  /** Tasks a message may refer to. Default 32. */
  readonly referenceTaskIds: number;
  /** Messages in a task's history; beyond it a message is refused. Default 1 000. */
  readonly historyMessages: number;
}

export const DEFAULT_LIMITS: RequestLimits = {
  idLength: 256,
  parts: 256,
  metadataBytes: 65_536,
  referenceTaskIds: 32,
  historyMessages: 1_000,
};
