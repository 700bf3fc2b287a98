import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { AgentCardSigner, CallAuthenticator, CardSecurity, SkillAccess } from '@a2a/a2a-core';
import { A2aAuthOptions } from './auth.options.js';
import { JwsCardSigner } from './cards/jws-card.signer.js';
import { ApiKeyScheme } from './schemes/api-key.scheme.js';
import { HttpBasicScheme } from './schemes/http-basic.scheme.js';
import { HttpBearerScheme } from './schemes/http-bearer.scheme.js';
import { MutualTlsScheme } from './schemes/mutual-tls.scheme.js';
import { OAuth2Scheme } from './schemes/oauth2.scheme.js';
import { OpenIdConnectScheme } from './schemes/open-id-connect.scheme.js';
import { PassportScheme } from './schemes/passport.scheme.js';
import { AccessPolicy, NoFurtherRules } from './security/access-policy.js';
import { DeclaredSecurity } from './security/agent-rules.js';
import { AuthFailureThrottle } from './security/auth-failure-throttle.js';
import { DeclaredSkillAccess } from './security/declared-skill-access.js';
import { OperationAccess } from './security/operation-access.js';
import { ProtectedResources } from './security/protected-resources.js';
import { SchemeAuthenticator } from './security/scheme.authenticator.js';
import { SchemeRegistry } from './security/scheme-registry.js';
import { SecurityCheck } from './security/security-check.js';
import { IdentityProviders } from './tokens/identity-providers.js';
import { TokenStrategies } from './tokens/token-strategies.js';

/** Options that are made when the host starts, from other providers. */
export interface A2aAuthAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly useFactory: (...dependencies: never[]) => A2aAuthOptions | Promise<A2aAuthOptions>;
  readonly inject?: readonly (string | symbol | (abstract new (...args: never[]) => unknown))[];
}

/** One class for each kind of scheme; another kind is another line here, or a provider of the team's own module. */
const SCHEMES = [ApiKeyScheme, HttpBasicScheme, HttpBearerScheme, OAuth2Scheme, OpenIdConnectScheme, MutualTlsScheme, PassportScheme];

/**
 * Identity and access for the whole host. Import it once, in the root module; it is global.
 *
 * It answers four ports of `@a2a/a2a-core`: who calls (CallAuthenticator), what cards say of it (CardSecurity), who may use a skill
 * (SkillAccess), and who signs cards (AgentCardSigner). It needs AgentRegistry, Clock, A2aLogger and OutboundHttp.
 */
@Module({})
export class A2aAuthModule {
  static forRoot(options: A2aAuthOptions): DynamicModule {
    return withOptions({ provide: A2aAuthOptions, useValue: options });
  }

  static forRootAsync({ imports, useFactory, inject = [] }: A2aAuthAsyncOptions): DynamicModule {
    return withOptions({ provide: A2aAuthOptions, useFactory, inject: [...inject] }, imports);
  }
}

function withOptions(options: Provider, imports: ModuleMetadata['imports'] = []): DynamicModule {
  return {
    module: A2aAuthModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [
      options,
      ...SCHEMES,
      AuthFailureThrottle,
      DeclaredSecurity,
      IdentityProviders,
      JwsCardSigner,
      OperationAccess,
      ProtectedResources,
      SchemeRegistry,
      SecurityCheck,
      TokenStrategies,
      { provide: AccessPolicy, useFactory: findPolicy, inject: [A2aAuthOptions, ModuleRef] },
      { provide: CallAuthenticator, useClass: SchemeAuthenticator },
      { provide: CardSecurity, useExisting: DeclaredSecurity },
      { provide: SkillAccess, useClass: DeclaredSkillAccess },
      { provide: AgentCardSigner, useExisting: JwsCardSigner },
    ],
    exports: [
      CallAuthenticator,
      CardSecurity,
      SkillAccess,
      AgentCardSigner,
      JwsCardSigner,
      IdentityProviders,
      ProtectedResources,
      TokenStrategies,
    ],
  };
}

/** Made here with whatever it injects, so that a policy needs no line in a module. */
function findPolicy({ policy }: A2aAuthOptions, modules: ModuleRef): Promise<AccessPolicy> | AccessPolicy {
  return policy ? modules.create(policy) : new NoFurtherRules();
}
