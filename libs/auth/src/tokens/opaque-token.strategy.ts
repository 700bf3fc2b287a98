import { type AuthRequest } from '../security/auth-request.js';
import { CredentialStrategy } from '../security/credential.strategy.js';
import { type VerifiedIdentity } from '../security/outcome.js';
import { readBearerToken } from './bearer-token.js';
import { type TokenIntrospection } from './token-introspection.js';

/** Tokens that mean something only to their issuer. */
export class OpaqueTokenStrategy extends CredentialStrategy {
  constructor(private readonly introspection: TokenIntrospection) {
    super();
  }

  protected async verify(request: AuthRequest): Promise<VerifiedIdentity> {
    return this.introspection.identify(readBearerToken(request));
  }
}
