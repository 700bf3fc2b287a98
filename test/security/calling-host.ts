import { EventEmitter, once } from 'node:events';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  A2aCoreModule,
  A2aError,
  A2aLogger,
  A2aPushModule,
  Agent,
  AgentRegistry,
  AgentSkill,
  CallAuthenticator,
  type CallSeed,
  type OutboundTargets,
  RequestHandler,
  SendMessageRequestSchema,
  TaskState,
  type TurnContext,
  urlPart,
  userMessage,
  WireRegistry,
} from '@a2a/a2a-core';
import { A2aAuthModule, httpBearerScheme, openIdConnectScheme } from '@a2a/auth';
import { OutboundModule } from '@a2a/outbound';

/** 127.0.0.2 plays the public internet, 127.0.0.1 the host's own network. */
export const [OUTSIDE, INSIDE] = ['127.0.0.2', '127.0.0.1'];
const TARGETS: OutboundTargets = { allowHttp: true, ports: '*', openNetworks: [`${OUTSIDE}/32`], openNames: ['localhost'] };

@AgentSkill({ id: 'fetches', name: 'Fetches', description: 'Gets the file that it is sent', tags: ['test'] })
class FetchingSkill {
  async *execute(turn: TurnContext) {
    const [part] = turn.message.parts;
    if (part?.content.case === 'url') await turn.fetchPart(part);
    yield turn.completed('done');
  }
}

@Agent({ id: 'open', name: 'Open', description: 'Has webhooks and fetches files', version: '1.0.0', pushNotifications: true })
class OpenAgent {}

@Module({ providers: [OpenAgent, FetchingSkill] })
class OpenModule {}

@AgentSkill({ id: 'guarded', name: 'Guarded', description: 'Is for those with tokens', tags: ['test'] })
class GuardedSkill {
  execute(): string {
    return 'done';
  }
}

@Agent({
  id: 'guarded',
  name: 'Guarded',
  description: 'Is for those with tokens',
  version: '1.0.0',
  security: { requirements: [{ discovered: [] }, { keys: [] }, { opaque: [] }], audience: 'urn:guarded' },
})
class GuardedAgent {}

@Module({ providers: [GuardedAgent, GuardedSkill] })
class GuardedModule {}

/** A host with everything that calls out, all of it aimed at one base URL. */
export class CallingHost {
  private constructor(
    private readonly app: INestApplicationContext,
    private readonly base: string,
    private readonly log: EventEmitter,
  ) {}

  static async start(base: string, resolve: (name: string) => readonly string[]): Promise<CallingHost> {
    const log = new EventEmitter();
    const note = (message: string): void => void (message.startsWith('A webhook') && log.emit('delivery', message));
    const auth = A2aAuthModule.forRoot({
      schemes: {
        discovered: openIdConnectScheme({ openIdConnectUrl: `${base}/d/.well-known/openid-configuration` }),
        keys: httpBearerScheme({ tokens: { jwt: { issuer: `${base}/k`, jwksUri: `${base}/keys` } } }),
        opaque: httpBearerScheme({
          tokens: { opaque: { issuer: `${base}/o`, introspectionUrl: `${base}/ask`, clientId: 'host', clientSecret: 'secret' } },
        }),
      },
      identityProviders: TARGETS,
    });
    const core = A2aCoreModule.forRoot({
      publicUrl: 'https://host.example',
      defaultAgent: 'open',
      auth,
      push: A2aPushModule.forRoot({ secret: 'the secret of a host that calls out', targets: TARGETS, retryDelaysMs: [] }),
      overrides: [{ provide: A2aLogger, useValue: { debug: note, info: note, warn: note, error: note } }],
    });
    const addresses = async (name: string) => resolve(name).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    @Module({ imports: [core, OutboundModule.forRoot({ targets: TARGETS, resolve: addresses }), OpenModule, GuardedModule] })
    class HostModule {
      constructor(wires: WireRegistry) {
        wires.add({ binding: 'JSONRPC', addressOf: ({ id }) => ({ url: `https://host.example/agents/${id}` }) });
      }
    }
    const app = await NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
    return new CallingHost(app, base, log);
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  /** A delivery that was made, failed or was refused; or a registration that was. */
  async deliver(): Promise<string> {
    const delivery = once(this.log, 'delivery') as Promise<[string]>;
    const configuration = { taskPushNotificationConfig: { url: `${this.base}/hook` } };
    return (await this.#send({ message: userMessage('work'), configuration })) || (await delivery)[0];
  }

  fetchFile(): Promise<string> {
    return this.#send({ message: userMessage([urlPart(`${this.base}/file`, { mediaType: 'text/plain' })]) });
  }

  discover(): Promise<string> {
    return this.#identify(this.#token('/d'));
  }

  fetchKeys(): Promise<string> {
    return this.#identify(this.#token('/k'));
  }

  introspect(): Promise<string> {
    return this.#identify('an-opaque-token');
  }

  /** The error, or the state of a task that did not complete; empty when all went well. */
  async #send(init: MessageInitShape<typeof SendMessageRequestSchema>): Promise<string> {
    const identified = await this.app.get(CallAuthenticator, { strict: false }).identify(seedOf({ 'a2a-version': '1.0' }));
    const call = { ...identified, mount: 'open' };
    const sending = this.app.get(RequestHandler, { strict: false }).sendMessage(create(SendMessageRequestSchema, init), call);
    return outcomeOf(
      sending.then(({ response: { payload } }) => {
        const state = payload.case === 'task' ? payload.value.status?.state : undefined;
        return state === TaskState.COMPLETED ? '' : `state ${state}`;
      }),
    );
  }

  #token(issuerPath: string): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: `${this.base}${issuerPath}`, aud: 'urn:guarded', sub: 'a', iat: now, exp: now + 60 };
    const parts = [{ alg: 'ES256', typ: 'at+jwt', kid: 'k' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return [...parts, Buffer.alloc(64, 1).toString('base64url')].join('.');
  }

  async #identify(token: string): Promise<string> {
    const agent = this.app.get(AgentRegistry, { strict: false }).find('guarded');
    if (!agent) throw new Error('The agent is not hosted');
    const authenticator = this.app.get(CallAuthenticator, { strict: false });
    const identified = authenticator.identify(seedOf({ authorization: `Bearer ${token}` }));
    return outcomeOf(identified.then((call) => authenticator.admit(call, agent, '', 'GetTask')).then(() => ''));
  }
}

function seedOf(headers: Record<string, string>): CallSeed {
  const { signal } = new AbortController();
  return { binding: 'JSONRPC', headers: new Map(Object.entries(headers)), query: new Map(), remoteAddress: '203.0.113.7', signal };
}

/** What `work` comes to, or the reason of its error. Anything but an error of the protocol is a defect. */
async function outcomeOf(work: Promise<string>): Promise<string> {
  return work.catch((error: unknown) => {
    if (error instanceof A2aError) return error.reason;
    throw error;
  });
}
