import { isIPv6 } from 'node:net';
import { type RetentionOptions } from '@a2a/a2a-core';
import { findFrontDoorProblems, type FrontDoorConfig, type LimitsConfig, toFrontDoor, toLimits } from '../front-door/front-door.config.js';
import { toRetention } from '../privacy/retention.settings.js';
import { hostSettings, type HostSettings, type SettingName } from './host.settings.js';
import { toWebhookConfig, type WebhookConfig } from './webhook.settings.js';
import { settingNotes } from './setting-notes.js';

/** The host's configuration as the code uses it. Made once, at start, from the environment. */
export interface HostConfig {
  /** Address that HTTP and gRPC listen on. */
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  /** `host:port` that gRPC listens on. */
  readonly grpcAddress: string;
  /** Absolute, without a trailing slash. */
  readonly publicUrl: string;
  /** `host:port`. */
  readonly publicGrpc: string;
  readonly databaseUrl: string;
  readonly httpAdapter: HostSettings['HTTP_ADAPTER'];
  readonly defaultAgent: string;
  /** As configured; see `resolveHostSecret`. */
  readonly secret?: string;
  /** Path of the security file. */
  readonly securityFile?: string;
  readonly webhooks: WebhookConfig;
  readonly trustedProxies: readonly string[];
  readonly frontDoor: FrontDoorConfig;
  readonly limits: LimitsConfig;
  readonly retention: RetentionOptions;
  readonly logLevel: HostSettings['LOG_LEVEL'];
  readonly drainTimeoutMs: number;
  /** Present when the conformance agent is on. */
  readonly conformance?: ConformanceConfig;
}

export interface ConformanceConfig {
  readonly profile: HostSettings['A2A_CONFORMANCE_PROFILE'];
  readonly extendedCard: boolean;
}

/** Settings that no host can run with. Each problem is a sentence that names the setting and the next step, and holds no secret. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/** @throws {ConfigError} with every wrong setting, not only the first */
export function readHostConfig(environment: NodeJS.ProcessEnv): HostConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = hostSettings.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0] as SettingName));
    throw new ConfigError([...wrong].map((name) => describeProblem(name, given[name])));
  }
  const problems = [...findPortProblems(parsed.data), ...findFrontDoorProblems(parsed.data)];
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data);
}

function findPortProblems({ PORT, GRPC_PORT }: HostSettings): string[] {
  return PORT === GRPC_PORT ? [`GRPC_PORT is ${GRPC_PORT}, the same as PORT: give one of them another number.`] : [];
}

function describeProblem(name: SettingName, value: string | undefined): string {
  const notes = settingNotes.get(hostSettings.shape[name]);
  const shown = notes?.secret ? 'is not usable (its value is not shown)' : `is ${JSON.stringify(value)}`;
  return `${name} ${shown}: it must be ${notes?.expects}. Correct it, or unset it for the default.`;
}

function toConfig(settings: HostSettings): HostConfig {
  const frontDoor = toFrontDoor(settings);
  const scheme = frontDoor.tls ? 'https' : 'http';
  const publicUrl = settings.A2A_PUBLIC_URL ?? `${scheme}://${reachableName(settings.HOST)}:${settings.PORT}`;
  const conformance = settings.A2A_CONFORMANCE_AGENT
    ? { profile: settings.A2A_CONFORMANCE_PROFILE, extendedCard: settings.A2A_CONFORMANCE_EXTENDED_CARD }
    : undefined;
  return {
    host: settings.HOST,
    port: settings.PORT,
    grpcPort: settings.GRPC_PORT,
    grpcAddress: `${bracketed(settings.HOST)}:${settings.GRPC_PORT}`,
    publicUrl,
    publicGrpc: settings.A2A_PUBLIC_GRPC ?? `${new URL(publicUrl).hostname}:${settings.GRPC_PORT}`,
    databaseUrl: settings.DATABASE_URL,
    httpAdapter: settings.HTTP_ADAPTER,
    defaultAgent: settings.A2A_DEFAULT_AGENT ?? (conformance ? 'conformance' : 'incident-analyst'),
    secret: settings.A2A_SECRET,
    securityFile: settings.A2A_SECURITY_FILE,
    webhooks: toWebhookConfig(settings),
    trustedProxies: settings.A2A_TRUSTED_PROXIES ?? [],
    frontDoor,
    limits: toLimits(settings, settings.A2A_CONFORMANCE_AGENT),
    retention: toRetention(settings),
    logLevel: settings.LOG_LEVEL,
    drainTimeoutMs: settings.A2A_DRAIN_TIMEOUT_MS,
    conformance,
  };
}

/** A name that a client on this machine can dial: "every address" is none. */
function reachableName(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'localhost' : bracketed(host);
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
