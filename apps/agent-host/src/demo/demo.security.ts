/**
 * The security file of the demo: one agent asks for tokens of the demo's identity provider, all others stay open.
 *
 * @param audience what tokens for `billing` have in `aud`
 */
export function demoSecurity(issuer: string, audience: string): object {
  return {
    schemes: {
      company: {
        kind: 'oauth2',
        description: `Ask ${issuer}/token for a token, with resource=${audience}`,
        flow: {
          clientCredentials: {
            tokenUrl: `${issuer}/token`,
            scopes: { 'billing.refund': 'Pay invoices back', 'billing.approve': 'Pay large invoices back' },
          },
        },
        metadataUrl: `${issuer}/.well-known/openid-configuration`,
        tokens: { jwt: { issuer, tenants: 'tenants' } },
      },
    },
    agents: {
      billing: { requirements: [{ company: [] }], audience, operationScopes: OPERATION_SCOPES },
    },
  };
}

const OPERATION_SCOPES = {
  SendMessage: ['a2a.send'],
  SendStreamingMessage: ['a2a.send'],
  GetTask: ['a2a.read'],
  ListTasks: ['a2a.read'],
  GetExtendedAgentCard: ['a2a.card'],
};
