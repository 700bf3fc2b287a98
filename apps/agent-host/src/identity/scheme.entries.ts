import {
  apiKeyScheme,
  type CertificateNames,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
  oauth2Scheme,
  openIdConnectScheme,
  type SchemeDeclaration,
  type TokenSettings,
} from '@a2a/auth';
import { readSecret } from './secret.source.js';
import { type SchemeEntry } from './security.schema.js';

type TokensEntry = Extract<SchemeEntry, { kind: 'bearer' }>['tokens'];

/** One entry of the file, as the module takes it. */
export function toScheme(entry: SchemeEntry, folder: string): SchemeDeclaration {
  switch (entry.kind) {
    case 'apiKey':
      return apiKeyScheme({ ...entry, keys: entry.keys.map(({ expiresAt, ...key }) => ({ ...key, expiresAtMs: toMs(expiresAt) })) });
    case 'basic':
      return httpBasicScheme(entry);
    case 'bearer':
      return httpBearerScheme({ ...entry, tokens: toTokens(entry.tokens, folder) });
    case 'oauth2':
      return oauth2Scheme({ ...entry, tokens: toTokens(entry.tokens, folder) });
    case 'openIdConnect': {
      const { kind: _kind, ...settings } = entry;
      return openIdConnectScheme(settings);
    }
    case 'mutualTls':
      return mutualTlsScheme({ description: entry.description, grant: entry.clients && grantOf(entry.clients) });
  }
}

function toTokens(tokens: TokensEntry, folder: string): TokenSettings {
  if ('jwt' in tokens) return tokens;
  return { opaque: { ...tokens.opaque, clientSecret: readSecret(tokens.opaque.clientSecret, folder) } };
}

type Clients = NonNullable<Extract<SchemeEntry, { kind: 'mutualTls' }>['clients']>;

/** Only listed certificates come in. The name that is listed is the subject, unless another is given. */
function grantOf(clients: Clients) {
  return ({ uris, dnsNames }: CertificateNames) => {
    const name = [...uris, ...dnsNames].find((candidate) => Object.hasOwn(clients, candidate));
    return name === undefined ? undefined : { subject: name, ...clients[name] };
  };
}

function toMs(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
