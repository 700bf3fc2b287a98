import { type z } from 'zod';
import { type RateLimitsOptions } from '@a2a/auth';
import { type frontDoorSettings } from './front-door.settings.js';
import { type limitSettings } from './limits.settings.js';
import { findTlsProblem, type TlsFiles } from './tls.files.js';

type SettingsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
type FrontDoorSettings = SettingsOf<typeof frontDoorSettings>;
type LimitSettings = SettingsOf<typeof limitSettings>;

/** What every request meets first. */
export interface FrontDoorConfig {
  /** Undefined for plaintext. */
  readonly tls?: TlsFiles;
  /** Lower case; undefined for every name. */
  readonly allowedHosts?: readonly string[];
  /** Undefined for none. */
  readonly corsOrigins?: readonly string[] | '*';
}

/** How much and how often callers may ask. */
export interface LimitsConfig {
  readonly requestBytes: number;
  readonly rates: RateLimitsOptions;
}

/** What is wrong with settings that are right one by one. */
export function findFrontDoorProblems(settings: FrontDoorSettings): string[] {
  const { A2A_TLS_CERT_FILE: certFile, A2A_TLS_KEY_FILE: keyFile, A2A_TLS_CA_FILE: caFile } = settings;
  if (certFile === undefined && keyFile === undefined) {
    return caFile === undefined ? [] : ['A2A_TLS_CA_FILE is set without TLS: set A2A_TLS_CERT_FILE and A2A_TLS_KEY_FILE too, or unset it.'];
  }
  if (certFile === undefined) return ['A2A_TLS_KEY_FILE is set without A2A_TLS_CERT_FILE: set both, or none for plaintext.'];
  if (keyFile === undefined) return ['A2A_TLS_CERT_FILE is set without A2A_TLS_KEY_FILE: set both, or none for plaintext.'];
  const problem = findTlsProblem({ certFile, keyFile, caFile });
  return problem === undefined ? [] : [problem];
}

/** TLS needs certificate and key; `findFrontDoorProblems` has told of one without the other. */
export function toFrontDoor(settings: FrontDoorSettings): FrontDoorConfig {
  const { A2A_TLS_CERT_FILE: certFile, A2A_TLS_KEY_FILE: keyFile, A2A_TLS_CA_FILE: caFile } = settings;
  return {
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile, caFile } : undefined,
    allowedHosts: settings.A2A_ALLOWED_HOSTS?.map((name) => name.toLowerCase()),
    corsOrigins: settings.A2A_CORS_ORIGINS?.includes('*') ? '*' : settings.A2A_CORS_ORIGINS,
  };
}

/** @param isForTests the conformance agent is on, whose callers ask as often as they can */
export function toLimits(settings: LimitSettings, isForTests: boolean): LimitsConfig {
  const usual = isForTests ? 'unlimited' : undefined;
  return {
    requestBytes: settings.A2A_MAX_REQUEST_BYTES,
    rates: {
      perAddress: settings.A2A_RATE_PER_ADDRESS ?? usual,
      perCaller: settings.A2A_RATE_PER_CALLER ?? usual,
      perTenant: settings.A2A_RATE_PER_TENANT ?? usual,
      perAgent: settings.A2A_RATE_PER_AGENT ?? usual,
    },
  };
}
