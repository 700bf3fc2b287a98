import { type HostedAgent, type SchemeRequirement, type ServedWire } from '@a2a/a2a-core';
import { type Carrier, headersOf } from './carrier.js';
import { type SchemeRegistry } from './scheme-registry.js';

/** An agent's requirements, on their way to a wire. */
export interface ServedRequirements {
  readonly agent: HostedAgent;
  readonly requirements: readonly SchemeRequirement[];
  readonly wire: ServedWire;
  /** Trusted proxies tell of certificates, over any wire. */
  readonly behindProxies: boolean;
}

/**
 * A card may not list a wire over which nobody could ever come in: at least one alternative can be sent there.
 *
 * @throws {Error} naming agent, wire, what cannot be sent, and the next step
 */
export function checkWire(served: ServedRequirements, registry: SchemeRegistry): void {
  const { agent, requirements, wire } = served;
  const obstacles = requirements.map((alternative) => Object.keys(alternative).flatMap((name) => obstacleOf(name, served, registry)));
  if (obstacles.length === 0 || obstacles.some((found) => found.length === 0)) return;
  throw new Error(
    `Nobody can call agent "${agent.id}" over ${wire.binding}: ${[...new Set(obstacles.flat())].join(', ')}. ` +
      `Add an alternative to its requirements that can be sent there, or do not serve ${wire.binding}.`,
  );
}

/** Why a scheme's credentials cannot be sent over a wire; empty when they can. */
function obstacleOf(schemeName: string, served: ServedRequirements, registry: SchemeRegistry): readonly string[] {
  const carriers = registry.find(schemeName)?.prepared.carriers ?? [];
  if (carriers.some((carrier) => canCarry(served, carrier))) return [];
  return carriers.slice(0, 1).map((carrier) => `the scheme "${schemeName}" needs ${describe(carrier)}`);
}

function canCarry({ wire: { credentials }, behindProxies }: ServedRequirements, carrier: Carrier): boolean {
  if (!credentials) return true;
  if (carrier.in === 'certificate') return credentials.certificates || behindProxies;
  return headersOf(carrier).every((name) => credentials.header(name));
}

function describe(carrier: Carrier): string {
  switch (carrier.in) {
    case 'certificate':
      return 'a client certificate, which is not asked for there (tls.clientCaFile) and no trusted proxy tells (clientCertificates)';
    case 'authorization':
      return 'an Authorization entry';
    default:
      return `a ${carrier.in} called "${carrier.name}", which is no name for an entry there`;
  }
}
