/** A program that may ask the demo's identity provider for tokens. */
export interface DemoClient {
  readonly id: string;
  /** Not worth keeping: the provider lives in this demo only, on this machine only. */
  readonly secret: string;
  /** Customer the client belongs to; tokens carry it. */
  readonly tenant: string;
  readonly scopes: readonly string[];
}

const CLERK = ['a2a.send', 'a2a.read', 'a2a.card', 'billing.refund'];

/** Two companies. Only the first has somebody who may approve large refunds. */
export const DEMO_CLIENTS: readonly DemoClient[] = [
  { id: 'acme-desk', secret: 'acme-secret', tenant: 'acme', scopes: [...CLERK, 'billing.approve'] },
  { id: 'globex-desk', secret: 'globex-secret', tenant: 'globex', scopes: CLERK },
];

/** Every scope that one of them may ask for. */
export const DEMO_SCOPES: readonly string[] = [...new Set(DEMO_CLIENTS.flatMap(({ scopes }) => scopes))];
