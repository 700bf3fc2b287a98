import { Strategy } from 'passport-strategy';
import { type VerifiedIdentity } from './outcome.js';
import { type AuthRequest } from './auth-request.js';

/**
 * A passport strategy for those who would rather write one async method than call back.
 *
 * Passport runs strategies on an object derived from them, so state belongs in `private readonly` members: `#members` cannot be reached.
 */
export abstract class CredentialStrategy extends Strategy {
  /** @throws {CredentialsRefused} saying what is wrong; anything else thrown counts as `unavailable` */
  protected abstract verify(request: AuthRequest): Promise<VerifiedIdentity>;

  override authenticate(request: unknown): void {
    this.verify(request as AuthRequest).then(
      (identity) => this.success(identity),
      (error: unknown) => this.error(error as Error),
    );
  }
}
