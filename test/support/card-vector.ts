import { type JsonObject } from '@bufbuild/protobuf';

/** The card of vector D.2: every member is present, most at their defaults. */
export const CARD_VECTOR: JsonObject = {
  name: 'Vector Agent €',
  description: '',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  provider: { organization: 'Ex', url: '' },
  documentationUrl: '',
  capabilities: {
    streaming: false,
    extensions: [{ uri: 'urn:x', required: false, description: '', params: { z: '', a: [], n: 1 } }],
  },
  securitySchemes: {
    m: { mtlsSecurityScheme: { description: '' } },
    o: {
      oauth2SecurityScheme: {
        description: '',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://as.example/a',
            tokenUrl: 'https://as.example/t',
            refreshUrl: '',
            scopes: {},
            pkceRequired: false,
          },
        },
      },
    },
  },
  securityRequirements: [{ schemes: { m: { list: [] } } }],
  defaultInputModes: [],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [{ protected: 'x', signature: 'y' }],
};
