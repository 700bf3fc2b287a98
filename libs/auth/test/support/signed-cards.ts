import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fromJson, type JsonObject } from '@bufbuild/protobuf';
import { type JWK } from 'jose';
import { type AgentCard, AgentCardSchema, messageToJson } from '@a2a/a2a-core';
import { type A2aAuthOptions, type CardKeyOptions } from '../../src/index.js';
import { JwsCardSigner } from '../../src/cards/jws-card.signer.js';

const KINDS = {
  ES256: ['ec', { namedCurve: 'P-256' }],
  ES384: ['ec', { namedCurve: 'P-384' }],
  EdDSA: ['ed25519', {}],
  RS256: ['rsa', { modulusLength: 2_048 }],
} as const;

/** A new private key. */
export function makeKey(kind: keyof typeof KINDS = 'ES256'): KeyObject {
  const [type, options] = KINDS[kind];
  return (generateKeyPairSync as (type: string, options: object) => { privateKey: KeyObject })(type, options).privateKey;
}

/** With the private part, if the key has one. */
export const jwkOf = (key: KeyObject): JWK => key.export({ format: 'jwk' }) as JWK;

/** Every kind of scheme, extensions with parameters, every optional member, and text beyond ASCII. */
export const CARD: JsonObject = {
  name: 'Agent für alles €',
  description: 'Antwortet auf 質問 🤖',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://agents.example.com/agents/x', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'x' }],
  provider: { organization: 'Beispiel GmbH', url: 'https://example.com' },
  documentationUrl: 'https://example.com/docs',
  iconUrl: 'https://example.com/icon.png',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'urn:x', description: 'x', required: true, params: { allow: ['a'], mode: 'strict', depth: 1.5, off: false } }],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key', description: 'clé' } },
    basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    code: {
      oauth2SecurityScheme: {
        oauth2MetadataUrl: 'https://as.example/m',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://as.example/a',
            tokenUrl: 'https://as.example/t',
            scopes: { read: 'lire' },
            pkceRequired: true,
          },
        },
      },
    },
    client: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://as.example/t', scopes: { read: 'lesen' } } } } },
    device: {
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: 'https://as.example/d', tokenUrl: 'https://as.example/t', scopes: { read: 'r' } } },
      },
    },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://as.example/.well-known/openid-configuration' } },
    mtls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { mtls: {}, key: {} } }, { schemes: { code: { list: ['read'] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'Übersetzen', description: 'd', tags: ['t'], securityRequirements: [{ schemes: { bearer: {} } }] }],
};

/** A card as the generated message. */
export const message = (card: JsonObject = CARD): AgentCard => fromJson(AgentCardSchema, card);
/** A card as it is served. */
export const served = (card: AgentCard): JsonObject => messageToJson(AgentCardSchema, card) as JsonObject;

/** A signer as it is once the host has started. */
export async function signerOf(cardSigning: A2aAuthOptions['cardSigning']): Promise<JwsCardSigner> {
  const signer = new JwsCardSigner({ cardSigning });
  await signer.onModuleInit();
  return signer;
}

/** A card signed with these keys, and who signed it. */
export async function signed(keys: readonly CardKeyOptions[], card = CARD): Promise<{ card: JsonObject; signer: JwsCardSigner }> {
  const signer = await signerOf({ keys });
  const unsigned = message(card);
  return { card: served({ ...unsigned, signatures: [...(await signer.sign(unsigned))] }), signer };
}

/** Leaves a member out. */
export function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
