import { Controller, Get, Header } from '@nestjs/common';
import { JwsCardSigner } from '@a2a/auth';
import { JWKS_PATH } from './identity.config.js';

/** The public keys behind the signatures of this host's cards (RFC 7517 §5); they name this address in `jku`. */
@Controller()
export class JwksController {
  constructor(private readonly signer: JwsCardSigner) {}

  @Get(JWKS_PATH)
  @Header('Content-Type', 'application/jwk-set+json')
  @Header('Cache-Control', 'public, max-age=300')
  @Header('X-Content-Type-Options', 'nosniff')
  keys(): { keys: object[] } {
    return { keys: [...this.signer.publicKeys] };
  }
}
