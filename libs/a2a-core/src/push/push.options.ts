import { type OutboundTargets } from '../outbound/outbound-http.js';

/**
 * Which artifact updates go to webhooks; status updates always do (A2A §3.5.1).
 *
 * - `complete`: each artifact that comes in one piece, and of one that comes in chunks the first chunk and, with the last, the whole.
 * - `all`: every update as it is.
 * - `none`.
 */
export type ArtifactUpdates = 'complete' | 'all' | 'none';

/** What an agent wants of its webhooks, in place of what the host says. */
export interface AgentWebhooks {
  /** Where the webhooks of this agent may point. */
  readonly targets?: OutboundTargets;
  readonly artifactUpdates?: ArtifactUpdates;
}

/** What `A2aPushModule.forRoot` takes. */
export interface A2aPushOptions {
  /**
   * Key material, at least 32 characters; the same on all replicas, and not stored beside the database. It seals credentials and signs
   * deliveries.
   */
  readonly secret: string;
  /** Key material used before. What it sealed can still be opened, and deliveries are signed with it too. Default none. */
  readonly previousSecrets?: readonly string[];
  /** Where webhooks may point. Default: what OutboundHttp allows. */
  readonly targets?: OutboundTargets;
  /** Default `complete`. */
  readonly artifactUpdates?: ArtifactUpdates;
  /** Default 5. */
  readonly configsPerTask?: number;
  /** Active configs of one caller with one agent. Default 100. */
  readonly configsPerOwner?: number;
  /** Longest wait for a receiver's answer, connecting included. Milliseconds, default 15 000. */
  readonly timeoutMs?: number;
  /**
   * Waits before each further attempt of an event; when they are used up the config is disabled. Milliseconds. Default: the table of
   * Standard Webhooks, nine retries over 75 hours.
   */
  readonly retryDelaysMs?: readonly number[];
  /** Deliveries at the same moment. Default 256. */
  readonly concurrency?: number;
  /** Deliveries to one host at the same moment. Default 4. */
  readonly hostConcurrency?: number;
  /** Deliveries to one host in a second. Default 10. */
  readonly hostRate?: number;
  /** Failures in a row, over ten seconds or more, after which a host is left alone for a while. Default 10. */
  readonly hostFailures?: number;
  /** How long a process that has gone silent keeps its deliveries to itself. Milliseconds, default 15 000. */
  readonly leaseMs?: number;
  /** How often the store is asked for what is due and for what nobody told of. Milliseconds, default 1 000. */
  readonly lookMs?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DEFAULT_PUSH_OPTIONS = {
  artifactUpdates: 'complete',
  configsPerTask: 5,
  configsPerOwner: 100,
  timeoutMs: 15 * SECOND,
  retryDelaysMs: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  concurrency: 256,
  hostConcurrency: 4,
  hostRate: 10,
  hostFailures: 10,
  leaseMs: 15 * SECOND,
  lookMs: SECOND,
} as const satisfies Partial<A2aPushOptions>;

const MIN_SECRET_LENGTH = 32;

/** The options with their defaults. */
export type PushSettings = Readonly<Required<Omit<A2aPushOptions, 'targets'>>> & Pick<A2aPushOptions, 'targets'>;

/** @throws {Error} at start, when a secret is missing or short: credentials are never stored in clear */
export function pushSettings(options: A2aPushOptions): PushSettings {
  const secrets = [options.secret, ...(options.previousSecrets ?? [])];
  if (secrets.some((secret) => typeof secret !== 'string' || secret.length < MIN_SECRET_LENGTH)) {
    throw new Error(
      `A2aPushModule: secret must have at least ${MIN_SECRET_LENGTH} characters, because webhook credentials are sealed with it; ` +
        'set it, or leave the module out and declare no pushNotifications',
    );
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { previousSecrets: [], ...DEFAULT_PUSH_OPTIONS, ...given, secret: options.secret };
}
