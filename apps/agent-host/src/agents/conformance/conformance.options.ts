import { type AgentOptions } from '@a2a/a2a-core';

/** The kit receives webhooks on this machine, without TLS and on any port. */
const KIT_RECEIVERS = { allowHttp: true, ports: '*', openNetworks: ['127.0.0.0/8', '::1/128'] } as const;

const REQUIRED_BY_KIT = { uri: 'urn:a2a:tck:required-extension', description: 'Asked for by the compatibility kit', required: true };

/** `full`: all that the host has. `bare`: neither streaming nor webhooks. `extension`: an extension that callers must activate. */
export type ConformanceProfile = 'full' | 'bare' | 'extension';

export interface ConformanceConfig {
  readonly profile: ConformanceProfile;
  /** Declares the extended card, in profile `full` only. */
  readonly extendedCard: boolean;
  /** Name of this process among the replicas. Default: the machine's name. */
  readonly replica?: string;
}

/** What the agent needs of its configuration at run time. Doubles as the injection token. */
export abstract class ConformanceOptions {
  abstract readonly replica: string;
}

/** The agent as its card shows it. */
export function agentOptionsOf({ profile, extendedCard }: ConformanceConfig): AgentOptions {
  return {
    id: 'conformance',
    name: 'Conformance Agent',
    description: 'Makes every behaviour of the protocol reachable, for compatibility, load and fault tests.',
    version: '1.0.0',
    defaultInputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    defaultOutputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    streaming: profile !== 'bare',
    pushNotifications: profile !== 'bare',
    webhooks: { targets: KIT_RECEIVERS },
    extendedAgentCard: profile === 'full' && extendedCard,
    extensions: profile === 'extension' ? [REQUIRED_BY_KIT] : [],
    // The kit sends one messageId for dozens of tasks.
    deduplicateMessages: false,
    // The kit calls over several connections and wires, without credentials, and names tenants as it likes.
    security: { anonymousOwner: 'shared', tenants: 'anybody' },
    // Load and fault tests come from one address.
    caps: { blockingSends: 10_000, streamsPerTask: 10_000, streamsPerCaller: 10_000, executionsPerCaller: 10_000, executions: 10_000 },
    rates: { perCaller: 'unlimited', perAgent: 'unlimited' },
  };
}
