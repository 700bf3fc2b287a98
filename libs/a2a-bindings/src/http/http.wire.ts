import { type BindingName, type HostedAgent, type ServedWire, type WireAddress } from '@a2a/a2a-core';

/** How cards say where an agent is reached over HTTP: its mount, and what the wire adds to it. */
export class HttpWire implements ServedWire {
  constructor(
    readonly binding: BindingName,
    private readonly publicUrl: string,
    private readonly suffix: string,
  ) {}

  addressOf(agent: HostedAgent, atRoot: boolean): WireAddress {
    return { url: `${this.publicUrl}${atRoot ? '' : `/agents/${agent.id}`}${this.suffix}` };
  }
}
