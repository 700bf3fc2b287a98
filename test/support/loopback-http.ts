import { OutboundError, OutboundHttp, type OutboundOptions, type OutboundResponse } from '@a2a/a2a-core';

/** The outbound door without its guard: for servers of the test itself, on the loopback interface. */
export class LoopbackHttp extends OutboundHttp {
  refusal(): string | undefined {
    return undefined;
  }

  async get(url: string, options: OutboundOptions): Promise<OutboundResponse> {
    return this.exchange(url, { method: 'GET' }, options);
  }

  async post(url: string, body: string | Uint8Array, options: OutboundOptions): Promise<OutboundResponse> {
    return this.exchange(url, { method: 'POST', body: body as RequestInit['body'] }, options);
  }

  private async exchange(url: string, init: RequestInit, { headers, maxBytes, timeoutMs }: OutboundOptions): Promise<OutboundResponse> {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...init, headers: { ...headers, connection: 'close' }, redirect: 'manual', signal });
      const body = new Uint8Array(await response.arrayBuffer());
      if (body.byteLength > maxBytes) throw new OutboundError('too-large', `more than ${maxBytes} bytes`);
      return { status: response.status, headers: new Map(response.headers), body };
    } catch (cause) {
      if (cause instanceof OutboundError) throw cause;
      throw new OutboundError('network', 'no answer', { cause });
    }
  }
}
