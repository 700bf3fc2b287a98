import { type AgentCaps, type Limits } from './limits/limits.options.js';
import { type RetentionOptions } from './retention/retention.options.js';

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
  /** How long tasks and values are kept. Default: until they are deleted. */
  readonly retention?: RetentionOptions;
  /** Messages of history returned when a request sets no historyLength. Default: all. */
  readonly defaultHistoryLength?: number;
  /** Sizes of requests and tasks, for agents that set none of their own. Defaults: see RequestLimits and TaskLimits. */
  readonly limits?: Partial<Omit<Limits, 'requestBytes'>>;
  /** How much may be under way at once, for agents that say nothing of it. Defaults: see AgentCaps. */
  readonly caps?: Partial<AgentCaps>;
}
