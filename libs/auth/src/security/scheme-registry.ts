import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { A2aAuthOptions } from '../auth.options.js';
import { ANONYMOUS_SESSION } from './anonymous-caller.js';
import { type Carrier, headersOf } from './carrier.js';
import { type DeclaredScheme, type PreparedScheme, SchemeVerifier, VerifiesSchemeMetadata } from './scheme-verifier.js';

/** A scheme of this host: declared, and ready for calls. */
export interface HostScheme {
  readonly declared: DeclaredScheme;
  readonly prepared: PreparedScheme;
  readonly needsAudience: boolean;
}

/** Headers that carry credentials on any host, whether or not a scheme looks at them. */
const ALWAYS_CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie', 'client-cert', 'client-cert-chain', ANONYMOUS_SESSION];

/** The schemes of this host by name. Every entry finds its class when the host starts, or the host does not start. */
@Injectable()
export class SchemeRegistry implements OnModuleInit {
  readonly #schemes = new Map<string, HostScheme>();
  #credentialHeaders: ReadonlySet<string> = new Set(ALWAYS_CREDENTIALS);

  constructor(
    private readonly options: A2aAuthOptions,
    private readonly discovery: DiscoveryService,
  ) {}

  async onModuleInit(): Promise<void> {
    const verifiers = this.findVerifiers();
    for (const [name, declaration] of Object.entries(this.options.schemes ?? {})) {
      const declared = { ...declaration, name };
      const verifier = verifiers.get(declaration.kind);
      if (!verifier) throw new Error(unknownKind(declared, [...verifiers.keys()]));
      this.#schemes.set(name, { declared, prepared: await prepare(verifier, declared), needsAudience: verifier.needsAudience(declared) });
    }
    const carriers: Carrier[] = [...this.#schemes.values()].flatMap(({ prepared }) => [...prepared.carriers]);
    this.#credentialHeaders = new Set([...ALWAYS_CREDENTIALS, ...carriers.flatMap(headersOf)]);
  }

  find(name: string): HostScheme | undefined {
    return this.#schemes.get(name);
  }

  /** Names, in lower case, of headers that executors never see. */
  get credentialHeaders(): ReadonlySet<string> {
    return this.#credentialHeaders;
  }

  private findVerifiers(): ReadonlyMap<string, SchemeVerifier> {
    const verifiers = new Map<string, SchemeVerifier>();
    for (const wrapper of this.discovery.getProviders({ metadataKey: VerifiesSchemeMetadata.KEY })) {
      const kind = this.discovery.getMetadataByDecorator(VerifiesSchemeMetadata, wrapper);
      const instance: unknown = wrapper.instance;
      if (kind === undefined || !(instance instanceof SchemeVerifier)) continue;
      if (verifiers.has(kind))
        throw new Error(`Two providers verify schemes of kind "${kind}". Keep one of them in the modules' providers.`);
      verifiers.set(kind, instance);
    }
    return verifiers;
  }
}

/** @throws {Error} naming the scheme beside what its settings lack */
async function prepare(verifier: SchemeVerifier, declared: DeclaredScheme): Promise<PreparedScheme> {
  try {
    return await verifier.prepare(declared);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Security scheme "${declared.name}" (${declared.kind}): ${reason}`, { cause });
  }
}

function unknownKind(scheme: DeclaredScheme, known: readonly string[]): string {
  return (
    `Security scheme "${scheme.name}" is of kind "${scheme.kind}", which no provider verifies (known: ${known.join(', ')}). ` +
    `Add the class marked @VerifiesScheme('${scheme.kind}') to the providers of a module.`
  );
}
