/** Sizes beyond which a request is refused as INVALID_PARAMS, before anything is stored. */
export interface RequestLimits {
  /** Characters of an id. Default 256. */
  readonly idLength: number;
  /** Parts of a message. Default 256. */
  readonly parts: number;
  /** Encoded bytes of the text of one part. Default 262 144. */
  readonly textBytes: number;
  /** Encoded bytes of the metadata of a request, a message or a part. Default 65 536. */
  readonly metadataBytes: number;
  /** Tasks a message may refer to. Default 32. */
  readonly referenceTaskIds: number;
  /**
   * Bytes of a request as it travels; more is PAYLOAD_TOO_LARGE. At most 16 777 216. Default: what the wires allow, 1 048 576.
   *
   * Of the agent alone: a host sets the default where it sets up its wires.
   */
  readonly requestBytes?: number;
}

/** How far a task may grow. A message that goes beyond is refused; an agent that goes beyond ends its task as FAILED. */
export interface TaskLimits {
  /** Messages in the history. Default 1 000. */
  readonly historyMessages: number;
  /** Artifacts. Default 1 000. */
  readonly artifacts: number;
  /** Chunks of all artifacts together. Default 10 000: an answer that streams word by word takes thousands. */
  readonly artifactChunks: number;
  /** Bytes of all that messages and artifacts hold, replaced artifacts included. Default 52 428 800. */
  readonly taskBytes: number;
}

/** How much may be under way at once; beyond it a call is refused as RATE_LIMITED, before anything is stored. */
export interface AgentCaps {
  /** Sends that wait for their task, a caller. Default 10. */
  readonly blockingSends: number;
  /** Open streams of one task. Default 10. */
  readonly streamsPerTask: number;
  /** Open streams, a caller. Default 20. */
  readonly streamsPerCaller: number;
  /** Turns that run or wait, a caller. Default 100. */
  readonly executionsPerCaller: number;
  /** Turns that run or wait, the agent. Default 1 000. */
  readonly executions: number;
  /** Messages that wait for one task while it works. Default 16. */
  readonly waitingMessages: number;
}

/** Everything one agent may be given, as `limits` of `@Agent` or, for all agents, of `A2aCoreModule.forRoot`. */
export type Limits = RequestLimits & TaskLimits;

/** What holds where neither agent nor host says otherwise. */
export const DEFAULT_LIMITS: Limits = {
  idLength: 256,
  parts: 256,
  textBytes: 262_144,
  metadataBytes: 65_536,
  referenceTaskIds: 32,
  historyMessages: 1_000,
  artifacts: 1_000,
  artifactChunks: 10_000,
  taskBytes: 52_428_800,
};

/** As `DEFAULT_LIMITS`, for what may be under way at once. */
export const DEFAULT_CAPS: AgentCaps = {
  blockingSends: 10,
  streamsPerTask: 10,
  streamsPerCaller: 20,
  executionsPerCaller: 100,
  executions: 1_000,
  waitingMessages: 16,
};

/** What may be spent within a stretch of time. An operation costs from 1 for a read to 10 for a message. */
export interface Rate {
  readonly points: number;
  readonly seconds: number;
}

/** Rates of one agent. `unlimited` switches a rate off. */
export interface AgentRates {
  /** What one caller may spend with this agent. */
  readonly perCaller?: Rate | 'unlimited';
  /** What all callers together may spend with this agent. */
  readonly perAgent?: Rate | 'unlimited';
}
