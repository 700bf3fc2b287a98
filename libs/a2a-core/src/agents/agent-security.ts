import { type OperationName } from '../protocol/operations.js';

/**
 * Schemes that have to be satisfied together, each with the scopes it has to grant, such as `{ corporate: ['billing.read'] }`.
 *
 * `{}` lets callers in without credentials (A2A §4.5, read as OpenAPI 3.2 does).
 */
export type SchemeRequirement = Readonly<Record<string, readonly string[]>>;

/** What an agent asks of its callers. The card shows it and the host enforces it, from this one declaration. */
export interface AgentSecurity {
  /** Alternatives; one is enough. Absent or empty: the agent is open to everybody. */
  readonly requirements?: readonly SchemeRequirement[];
  /** What a token has to name as its audience. One for each agent, so that a token for one agent never opens another. */
  readonly audience?: string | readonly string[];
  /** Scopes an operation needs beside those of the requirement. Default: the host's table. */
  readonly operationScopes?: Readonly<Partial<Record<OperationName, readonly string[]>>>;
  /** A request without a tenant is refused. Default false. */
  readonly tenantRequired?: boolean;
  /**
   * Who may name a tenant. `members`: callers whose credentials say they belong to it. `anybody`: everybody, so that a tenant is only a part
   * of the key; for demonstrations and tests. Default `members`.
   */
  readonly tenants?: 'members' | 'anybody';
  /** Callers without credentials own what they made and nothing else, or share one owner. Default: the host's choice. */
  readonly anonymousOwner?: 'own' | 'shared';
  /** Where the agent's protected resource metadata (RFC 9728) is found; named in bearer challenges. */
  readonly resourceMetadataUrl?: string;
}
