import { z } from 'zod';

const text = z.string().min(1);
const words = z.array(text);
/** A claim's name, or the path to a member inside one. */
const claim = z.union([text, words.min(1)]);
const url = z.url({ protocol: /^https?$/ });
/** A secret never stands in the file itself. */
const secret = z.union([z.strictObject({ env: text }), z.strictObject({ file: text })]);

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;
const grant = { scopes: words.optional(), tenants: words.optional() };
const claims = {
  scopes: claim.optional(),
  tenants: claim.optional(),
  displayName: text.optional(),
  ownedByClient: z.boolean().optional(),
};
const jwtRules = {
  ...claims,
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).optional(),
  type: z.union([text, z.literal(false)]).optional(),
  clockToleranceSeconds: z.int().min(0).max(60).optional(),
  maxLifetimeSeconds: z.int().min(1).optional(),
};
const tokens = z.union([
  z.strictObject({ jwt: z.strictObject({ issuer: url, jwksUri: url.optional(), ...jwtRules }) }),
  z.strictObject({
    opaque: z.strictObject({
      issuer: url,
      introspectionUrl: url.optional(),
      clientId: text,
      clientSecret: secret,
      withoutAudience: z.boolean().optional(),
      cacheSeconds: z.int().min(0).max(60).optional(),
      ...claims,
    }),
  }),
]);

const scopesOfFlow = z.record(text, z.string());
const refresh = { refreshUrl: url.optional(), scopes: scopesOfFlow.default({}) };
const flow = z.union([
  z.strictObject({
    authorizationCode: z.strictObject({ authorizationUrl: url, tokenUrl: url, pkceRequired: z.boolean().optional(), ...refresh }),
  }),
  z.strictObject({ clientCredentials: z.strictObject({ tokenUrl: url, ...refresh }) }),
  z.strictObject({ deviceCode: z.strictObject({ deviceAuthorizationUrl: url, tokenUrl: url, ...refresh }) }),
  z.strictObject({ implicit: z.strictObject({ authorizationUrl: url.optional(), ...refresh }) }),
  z.strictObject({ password: z.strictObject({ tokenUrl: url.optional(), ...refresh }) }),
]);

const described = { description: text.optional() };
const apiKey = z.strictObject({
  kind: z.literal('apiKey'),
  ...described,
  in: z.enum(['header', 'query', 'cookie']),
  name: text,
  keys: z.array(
    z.strictObject({
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      subject: text,
      displayName: text.optional(),
      expiresAt: z.iso.datetime({ offset: true }).optional(),
      ...grant,
    }),
  ),
});
const basic = z.strictObject({
  kind: z.literal('basic'),
  ...described,
  users: z.array(
    z.strictObject({
      username: text.regex(/^[^:]+$/),
      passwordHash: z.string().startsWith('scrypt:'),
      displayName: text.optional(),
      ...grant,
    }),
  ),
});
const bearer = z.strictObject({ kind: z.literal('bearer'), ...described, bearerFormat: text.optional(), tokens });
const oauth2 = z.strictObject({ kind: z.literal('oauth2'), ...described, flow, metadataUrl: url.optional(), tokens });
const openIdConnect = z.strictObject({
  kind: z.literal('openIdConnect'),
  ...described,
  openIdConnectUrl: url,
  issuer: url.optional(),
  ...jwtRules,
});
const mutualTls = z.strictObject({
  kind: z.literal('mutualTls'),
  ...described,
  /** By URI or DNS name of the certificate. Without it everybody with such a name comes in, without scopes. */
  clients: z.record(text, z.strictObject({ subject: text.optional(), ...grant })).optional(),
});

const scheme = z.discriminatedUnion('kind', [apiKey, basic, bearer, oauth2, openIdConnect, mutualTls]);

const OPERATIONS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
] as const;
const operationScopes = z.partialRecord(z.enum(OPERATIONS), words);

const anonymousOwner = z.enum(['own', 'shared']);
const agent = z.strictObject({
  requirements: z.array(z.record(text, words)).optional(),
  audience: z.union([text, words.min(1)]).optional(),
  operationScopes: operationScopes.optional(),
  tenantRequired: z.boolean().optional(),
  tenants: z.enum(['members', 'anybody']).optional(),
  anonymousOwner: anonymousOwner.optional(),
  resourceMetadataUrl: url.optional(),
});

const jwk = z.looseObject({ kty: text });
const cardKey = z.strictObject({
  source: z.union([z.strictObject({ file: text }), z.strictObject({ env: text }), z.strictObject({ jwk })]),
  kid: text.optional(),
  alg: z.enum(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']).optional(),
  form: z.enum(['a2a', 'sdk']).optional(),
});

/**
 * The security file: who may come in, and what each agent asks. The JSON form of `A2aAuthOptions`, explained in `docs/identity.md`.
 *
 * A member that is not known is an error: a misspelt rule would be no rule at all.
 */
export const securitySchema = z.strictObject({
  schemes: z.record(z.string().regex(/^[A-Za-z0-9._-]{1,64}$/), scheme).default({}),
  agents: z.record(text, agent).default({}),
  operationScopes: z.union([z.literal('standard'), operationScopes]).optional(),
  anonymousOwner: anonymousOwner.optional(),
  clientCertificates: z.strictObject({ trustedProxies: words, header: text.optional() }).optional(),
  allowedOrigins: z.array(url).optional(),
  authFailures: z
    .strictObject({
      failures: z.int().min(1).optional(),
      waitSeconds: z.int().min(1).optional(),
      maxWaitSeconds: z.int().min(1).optional(),
      memorySeconds: z.int().min(1).optional(),
    })
    .optional(),
  identityProviders: z
    .strictObject({
      allowHttp: z.boolean().optional(),
      ports: z.union([z.array(z.int().min(1).max(65_535)), z.literal('*')]).optional(),
      openNetworks: words.optional(),
    })
    .optional(),
  cardSigning: z.strictObject({ keys: z.array(cardKey).min(1), retiredKeys: z.array(jwk).optional(), jku: url.optional() }).optional(),
});

/** The file once it is read: valid, with its defaults. */
export type SecurityFile = z.output<typeof securitySchema>;
/** One scheme, as the file declares it. */
export type SchemeEntry = z.output<typeof scheme>;
/** Where a secret is read from, so that the file holds none. */
export type SecretSource = z.output<typeof secret>;
