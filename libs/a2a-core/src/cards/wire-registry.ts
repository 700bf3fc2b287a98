import { Injectable } from '@nestjs/common';
import { type BindingName } from '../call/call-context.js';
import { type HostedAgent } from '../agents/hosted-agent.js';

/** Where one agent is reached over one wire, as its card says it. */
export interface WireAddress {
  readonly url: string;
  /** What callers put into each request's `tenant`. */
  readonly tenant?: string;
}

/** Which credentials callers can send over a wire. */
export interface WireCredentials {
  /** The wire asks callers for certificates. */
  readonly certificates: boolean;
  /** There can be an entry of this lower-case name. */
  header(name: string): boolean;
}

/** A wire this host really serves. */
export interface ServedWire {
  readonly binding: BindingName;
  /** Default: all that there are. */
  readonly credentials?: WireCredentials;
  /** @param atRoot the card is that of the root paths, not of `/agents/<id>` */
  addressOf(agent: HostedAgent, atRoot: boolean): WireAddress;
}

/** The wires in order of preference. Bindings add themselves when their module starts; cards list what is here and nothing else. */
@Injectable()
export class WireRegistry {
  readonly #wires: ServedWire[] = [];

  get wires(): readonly ServedWire[] {
    return this.#wires;
  }

  add(wire: ServedWire): void {
    this.#wires.push(wire);
  }
}
