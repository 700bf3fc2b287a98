import 'reflect-metadata';

// ---- For those who run a host: one module, and one function for each scheme
export { A2aAuthModule, type A2aAuthAsyncOptions } from './auth.module.js';
export { A2aAuthOptions } from './auth.options.js';
export { apiKeyScheme, type ApiKeySettings } from './schemes/api-key.scheme.js';
export { type ApiKey, ApiKeyStore, generateApiKey, hashApiKey } from './schemes/api-key.store.js';
export { httpBasicScheme, type HttpBasicSettings } from './schemes/http-basic.scheme.js';
export { type BasicUser, BasicUserStore, hashPassword } from './schemes/basic-user.store.js';
export { httpBearerScheme, type HttpBearerSettings } from './schemes/http-bearer.scheme.js';
export { oauth2Scheme, type OAuth2Flow, type OAuth2Settings } from './schemes/oauth2.scheme.js';
export { openIdConnectScheme, type OpenIdConnectSettings } from './schemes/open-id-connect.scheme.js';
export { type CertificateGrant, mutualTlsScheme, type MutualTlsSettings } from './schemes/mutual-tls.scheme.js';
export { type CertificateNames } from './schemes/certificate-names.js';
export { passportScheme, type PassportSettings } from './schemes/passport.scheme.js';
export { type TokenSettings } from './tokens/token-strategies.js';
export { type AccessTokenRules, type TokenAlgorithm } from './tokens/access-token.rules.js';
export { type IntrospectionRules } from './tokens/token-introspection.js';
export { type Claims, type ClaimMapping, type ClaimSource } from './tokens/claims.js';
export { IdentityProviders } from './tokens/identity-providers.js';
export { A2A_OPERATION_SCOPES } from './security/operation-scopes.js';
export { RESOURCE_METADATA_PATH } from './security/agent-rules.js';
export { type ProtectedResource, ProtectedResources } from './security/protected-resources.js';
export { AccessPolicy, type AccessQuestion, type AccessVerdict } from './security/access-policy.js';
export { A2aRateLimitsModule } from './limits/rate-limits.module.js';
export { DEFAULT_RATES, type RateName, RateLimitsOptions } from './limits/rate-limits.options.js';
export { OPERATION_COSTS } from './limits/operation-costs.js';
export { ownerKey } from './security/owner-key.js';
export { ANONYMOUS_SESSION } from './security/anonymous-caller.js';
export { type AuthFailureLimits } from './security/auth-failure.limits.js';
export { type ClientCertificateOptions } from './security/client-certificate.js';
export { type CardKeyOptions, type CardSigningOptions, type KeySource } from './cards/card-signing-keys.js';
export { AgentCardVerifier, CardSignatureError, type CardTrust, type VerifiedCard } from './cards/agent-card.verifier.js';

// ---- For those who write schemes and bindings
export {
  type ChallengeFacts,
  type DeclaredScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  VerifiesScheme,
} from './security/scheme-verifier.js';
export { CredentialStrategy } from './security/credential.strategy.js';
export { type CredentialsFailure, CredentialsRefused, type Outcome, type VerifiedIdentity } from './security/outcome.js';
export { type AuthRequest, type Place, toAuthRequest } from './security/auth-request.js';
export { type Carrier, valueIn } from './security/carrier.js';
export { formatChallenge } from './security/challenge.js';
export { type ClientCertificate, ClientCertificateReader } from './security/client-certificate.js';
export { type RunnableStrategy, runStrategy, type StrategyResult } from './security/run-strategy.js';
export { TokenStrategies } from './tokens/token-strategies.js';
export { JwsCardSigner } from './cards/jws-card.signer.js';
