import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { A2aBindingsModule, connectA2aGrpc } from '@a2a/a2a-bindings';
import { A2aCoreModule, Agent, AgentSkill, type SchemeRequirement, type Skill, type TurnContext } from '@a2a/a2a-core';
import { A2aAuthModule } from '@a2a/auth';
import { OutboundModule } from '@a2a/outbound';
import { IdentityProvider } from '../support/identity-provider.js';
import { AGENTS, AUDIENCE, type Credential, matrixOptions, ROWS, show } from '../support/policy-matrix.js';
import { type CardJson, clientOf, type Wire, WIRES } from '../conformance/conformance-host.js';
import { say, textsOf } from '../conformance/requests.js';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { freePorts } from '../support/free-ports.js';
import { nowSeconds } from '../support/issuer.js';
import { refusalOf } from './refusals.js';

/** A certificate whose chain does not hold is only there on a TLS connection of its own; a trusted proxy lets none through. */
const ROWS_BEHIND_A_PROXY = ROWS.filter(([, credentials]) => !credentials.includes('unverified cert'));

/** What the attack table calls each reason. */
const REFUSALS: Readonly<Record<string, (wire: Wire) => string>> = {
  UNAUTHENTICATED: () => 'A401',
  PERMISSION_DENIED: () => 'A403',
  UNAVAILABLE: () => 'UN',
  INVALID_REQUEST: (wire) => (wire === 'JSONRPC' ? 'UNREADABLE' : 'BAD'),
};

function agentModule(id: string, requirements: readonly SchemeRequirement[]): Type {
  @Agent({ id, name: id, description: 'A line of the matrix', version: '1.0.0', security: { requirements, audience: AUDIENCE } })
  class LineAgent {}

  @AgentSkill({ id: 'who', name: 'Who', description: 'Says who calls', tags: ['test'] })
  class WhoSkill implements Skill {
    execute({ principal }: TurnContext): string {
      return principal.subject ?? 'anonymous';
    }
  }

  @Module({ providers: [LineAgent, WhoSkill] })
  class LineModule {}
  return LineModule;
}

describe('The policy matrix [SEC-04, SEC-06, SEC-12]', () => {
  let provider: IdentityProvider;
  let deadIssuer: IdentityProvider;
  let app: INestApplication;
  const clients = new Map<string, A2aClient>();

  beforeAll(async () => {
    [provider, deadIssuer] = await Promise.all([IdentityProvider.start(), IdentityProvider.start()]);
    deadIssuer.mood = 'error';
    const [port = 0, grpcPort = 0] = await freePorts(2);
    const auth = A2aAuthModule.forRoot({
      ...(await matrixOptions({ provider, deadIssuer })),
      clientCertificates: { trustedProxies: ['127.0.0.1'] },
    });
    const core = A2aCoreModule.forRoot({ publicUrl: `http://127.0.0.1:${port}`, defaultAgent: 'open', auth });
    const lines = Object.entries(AGENTS).map(([id, requirements]) => agentModule(id, requirements));
    @Module({ imports: [core, OutboundModule.forRoot(), A2aBindingsModule.forRoot(), ...lines] })
    class MatrixHost {}

    app = await NestFactory.create(MatrixHost, { bodyParser: false, logger: false, abortOnError: false });
    connectA2aGrpc(app, { url: `127.0.0.1:${grpcPort}` });
    await app.startAllMicroservices();
    await app.listen(port, '127.0.0.1');
    for (const id of Object.keys(AGENTS)) {
      const card = (await (await fetch(`http://127.0.0.1:${port}/agents/${id}/.well-known/agent-card.json`)).json()) as CardJson;
      for (const wire of WIRES) clients.set(`${id} ${wire}`, clientOf(card, wire));
    }
  });
  afterAll(async () => {
    clients.forEach((client) => client.close());
    await app.close();
    await Promise.all([provider.stop(), deadIssuer.stop()]);
  });

  /** Who the agent says it was called by, or how the wire refused. */
  async function outcomeOf(agentId: string, wire: Wire, credentials: readonly Credential[]): Promise<string> {
    const client = clients.get(`${agentId} ${wire}`);
    if (!client) throw new Error(`No client for ${agentId} over ${wire}`);
    const shown = await show(credentials, { provider, deadIssuer, nowSeconds: nowSeconds() });
    const certificate = shown.peerCertificate && `:${Buffer.from(shown.peerCertificate.der).toString('base64')}:`;
    const headers = { ...Object.fromEntries(shown.headers), ...(certificate && { 'client-cert': certificate }) };
    const call = client.send(say('who am I?'), { headers });
    return call.then(
      ({ message }) => textsOf(message).join(),
      () => refusalOf(call, wire),
    );
  }

  describe.each(WIRES)('over %s', (wire: Wire) => {
    it.each(ROWS_BEHIND_A_PROXY)('%s, given %j: %s', async (agentId, credentials, expected) => {
      expect(await outcomeOf(agentId, wire, credentials)).toBe(REFUSALS[expected]?.(wire) ?? expected);
    });
  });
});
