import { type DynamicModule } from '@nestjs/common';
import { A2aAuthModule, apiKeyScheme, hashApiKey, httpBearerScheme } from '@a2a/auth';

/** How callers of the bench prove who they are. `open`: the module is there and asks for nothing. */
export type Identity =
  | { readonly kind: 'open' }
  | { readonly kind: 'api-key'; readonly key: string }
  | { readonly kind: 'jwt'; readonly issuer: string; readonly jwksUri: string; readonly audience: string };

/** Identity as a host sets it up, with one scheme. */
export function identityModule(identity: Identity): DynamicModule {
  switch (identity.kind) {
    case 'open':
      return A2aAuthModule.forRoot({ anonymousOwner: 'shared' });
    case 'api-key': {
      const keys = [{ sha256: hashApiKey(identity.key), subject: 'bench' }];
      return A2aAuthModule.forRoot({
        schemes: { key: apiKeyScheme({ in: 'header', name: 'x-api-key', keys }) },
        agents: { bench: { requirements: [{ key: [] }] } },
      });
    }
    case 'jwt': {
      const { issuer, jwksUri, audience } = identity;
      return A2aAuthModule.forRoot({
        schemes: { token: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } }) },
        agents: { bench: { requirements: [{ token: [] }], audience } },
      });
    }
  }
}
