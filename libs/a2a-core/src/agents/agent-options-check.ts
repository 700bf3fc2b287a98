import { type AgentOptions } from './agent.decorator.js';

/** A request is held in memory as a whole, so no agent may ask for more. */
const MOST_REQUEST_BYTES = 16 * 1024 * 1024;

const ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Words of the protocol's own paths (A2A §11.3); an agent or tenant of such a name could not be told from a route. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'agents',
  'extendedAgentCard',
  'health',
  'message:send',
  'message:stream',
  'rpc',
  'tasks',
  'v1',
]);

/** @throws {Error} at start, naming the agent and the next step */
export function checkAgentOptions(agents: readonly AgentOptions[], defaultId: string | undefined): void {
  const ids = agents.map(({ id }) => id);
  for (const { id, name, description, version, limits, caps } of agents) {
    if (!ID_FORM.test(id)) throw new Error(`@Agent id "${id}" has to be letters, digits, ".", "_" or "-", 63 at most; choose another`);
    if (RESERVED_NAMES.has(id)) throw new Error(`@Agent id "${id}" is a word of the protocol's paths; choose another`);
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) throw new Error(`Two agents have the id "${id}"; rename one of them`);
    if (!name || !description || !version)
      throw new Error(`@Agent "${id}" lacks name, description or version; a card needs all three (A2A §4.4.1)`);
    if ((limits?.requestBytes ?? 0) > MOST_REQUEST_BYTES)
      throw new Error(`@Agent "${id}" has limits.requestBytes above ${MOST_REQUEST_BYTES}; lower it, or take large files as url parts`);
    const [wrong] = Object.entries({ ...limits, ...caps }).filter(([, limit]) => !Number.isSafeInteger(limit) || limit < 1);
    if (wrong) throw new Error(`@Agent "${id}" has ${wrong[0]} ${wrong[1]}; a limit is a whole number from 1`);
  }
  if (ids.length === 0) throw new Error('No @Agent class was found; import at least one agent module');
  if (defaultId === undefined) throw new Error(`Several agents and no defaultAgent; set it to one of ${ids.join(', ')}`);
  if (!ids.includes(defaultId)) throw new Error(`defaultAgent "${defaultId}" is not hosted; known: ${ids.join(', ')}`);
}
