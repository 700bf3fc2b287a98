import { type JsonObject } from '@bufbuild/protobuf';
import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';
import { type AgentCaps, type AgentRates, type Limits } from '../limits/limits.options.js';
import { type AgentWebhooks } from '../push/push.options.js';
import { type AgentSecurity } from './agent-security.js';

/** An extension that an agent declares (A2A §4.6.1). */
export interface ExtensionDeclaration {
  readonly uri: string;
  readonly description?: string;
  /** Callers that do not activate it are refused. Default false. */
  readonly required?: boolean;
  readonly params?: JsonObject;
}

/** What an agent says of itself; the rest of its card comes from its skills and the host's wires. */
export interface AgentOptions {
  /** Mount name: `/agents/<id>` over HTTP, `tenant` over gRPC. Letters, digits, `.`, `_`, `-`; at most 63. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The agent's own version, such as `1.4.0`. */
  readonly version: string;
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  /** Media types for skills that name none. Default `['text/plain']`. */
  readonly defaultInputModes?: readonly string[];
  /** Default `['text/plain']`. */
  readonly defaultOutputModes?: readonly string[];
  /** Default true. */
  readonly streaming?: boolean;
  /** Default false. */
  readonly pushNotifications?: boolean;
  /** What this agent wants of its webhooks. Default: what `A2aPushModule` says. */
  readonly webhooks?: AgentWebhooks;
  /** Default false. */
  readonly extendedAgentCard?: boolean;
  readonly extensions?: readonly ExtensionDeclaration[];
  /** Which credentials callers need. Default: none. */
  readonly security?: AgentSecurity;
  /** How much may be under way at once. Default: what the host says, see AgentCaps. */
  readonly caps?: Partial<AgentCaps>;
  /** Sizes of requests and tasks. Default: what the host says, see RequestLimits and TaskLimits. */
  readonly limits?: Partial<Limits>;
  /** How often callers may call. Default: what the host says. */
  readonly rates?: AgentRates;
  /** Same messageId from the same caller is answered from the first time (A2A §3.3.1). Default true. */
  readonly deduplicateMessages?: boolean;
  /** A message for a task that is SUBMITTED or WORKING waits its turn, or is refused (A2A §3.4.3). Default `queue`. */
  readonly whileWorking?: 'queue' | 'reject';
}

/** Where Nest's discovery finds an agent's options. */
export const AgentMetadata = DiscoveryService.createDecorator<AgentOptions>();

/**
 * Makes a provider the identity of a hosted agent. The `@AgentSkill` providers of the same module are its skills.
 *
 * The class may extend AgentExecutor to run its turns itself; then its skills only describe it.
 */
export function Agent(options: AgentOptions): ClassDecorator {
  return applyDecorators(Injectable(), AgentMetadata(options));
}
