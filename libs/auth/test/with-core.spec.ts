import { generateKeyPairSync } from 'node:crypto';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type INestApplicationContext } from '@nestjs/common';
import { fromBinary, toBinary, type JsonObject } from '@bufbuild/protobuf';
import {
  A2aCoreModule,
  Agent,
  AgentCardSchema,
  AgentCardService,
  AgentRegistry,
  AgentSkill,
  CallAuthenticator,
  messageToJson,
  WireRegistry,
} from '@a2a/a2a-core';
import { OutboundModule } from '@a2a/outbound';
import { type JWK } from 'jose';
import {
  A2aAuthModule,
  AgentCardVerifier,
  apiKeyScheme,
  hashApiKey,
  httpBearerScheme,
  JwsCardSigner,
  mutualTlsScheme,
} from '../src/index.js';
import { bearer, callSeed, headers } from './support/auth-host.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';

@Agent({
  id: 'billing',
  name: 'Billing',
  description: 'Knows what is owed',
  version: '1.0.0',
  extendedAgentCard: true,
  security: { requirements: [{ corporate: [] }, { key: [] }], audience: 'urn:agent:billing' },
})
class BillingAgent {}

@AgentSkill({
  id: 'refund',
  name: 'Refund',
  description: 'Pays back',
  tags: ['money'],
  scopes: ['billing.write'],
  security: [{ cert: [] }],
})
class RefundSkill {
  execute(): string {
    return 'refunded';
  }
}

@Module({ providers: [BillingAgent, RefundSkill] })
class BillingModule {}

describe('the auth module in a host', () => {
  let provider: IdentityProvider;
  let app: INestApplicationContext;

  beforeAll(async () => {
    provider = await IdentityProvider.start();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const auth = A2aAuthModule.forRoot({
      schemes: {
        corporate: httpBearerScheme({ tokens: { jwt: { issuer: provider.issuer } } }),
        key: apiKeyScheme({ in: 'header', name: 'x-api-key', keys: [{ sha256: hashApiKey('right'), subject: 'robot' }] }),
        cert: mutualTlsScheme(),
      },
      cardSigning: { keys: [{ source: { jwk: privateKey.export({ format: 'jwk' }) as JWK } }] },
    });
    const core = A2aCoreModule.forRoot({ publicUrl: 'https://agents.example.com', auth });
    @Module({ imports: [core, OutboundModule.forRoot(), BillingModule] })
    class HostModule {
      constructor(wires: WireRegistry) {
        wires.add({ binding: 'JSONRPC', addressOf: ({ id }) => ({ url: `https://agents.example.com/agents/${id}` }) });
      }
    }
    app = await NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
  });

  afterAll(async () => {
    await provider.stop();
    await app.close();
  });

  const agent = () => app.get(AgentRegistry).defaultAgent;

  it('answers who calls, by keys fetched through the guarded door from metadata on this machine', async () => {
    const authenticator = app.get(CallAuthenticator);
    const token = await provider.token(Math.floor(Date.now() / 1_000), { aud: 'urn:agent:billing' });
    const call = await authenticator.identify(callSeed(bearer(token)));
    expect(await authenticator.admit(call, agent(), '', 'GetTask')).toMatchObject({ subject: 'alice', issuer: provider.issuer });
    await expect(authenticator.identify(callSeed(headers({ 'x-api-key': 'wrong' })))).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('puts on the card what it enforces, and signs it', async () => {
    const { card, body } = app.get(AgentCardService).publicCard(agent(), true);
    const json = JSON.parse(body) as JsonObject;
    expect(json['securityRequirements']).toEqual([{ schemes: { corporate: {} } }, { schemes: { key: {} } }]);
    expect(Object.keys(json['securitySchemes'] as JsonObject)).toEqual(['corporate', 'key', 'cert']);
    const list = ['billing.write'];
    expect(json['skills']).toMatchObject([
      { id: 'refund', securityRequirements: [{ schemes: { corporate: { list }, cert: {} } }, { schemes: { key: { list }, cert: {} } }] },
    ]);
    const verifier = new AgentCardVerifier({ keys: app.get(JwsCardSigner).publicKeys });
    await expect(verifier.verify(json)).resolves.toBeDefined();
    const overGrpc = fromBinary(AgentCardSchema, toBinary(AgentCardSchema, card));
    await expect(verifier.verify(messageToJson(AgentCardSchema, overGrpc) as JsonObject)).resolves.toBeDefined();
  });
});
