import { type OutboundHttp, type OutboundTargets } from '@a2a/a2a-core';
import { fetchJson, IDP_MAX_BYTES, IDP_TIMEOUT_MS, toJsonObject } from './fetch-json.js';
import { isLoopback } from './provider-url.js';

/** This machine: where identity providers run in development and in tests, and never anywhere else. */
const THIS_MACHINE: OutboundTargets = { allowHttp: true, ports: '*', openNetworks: ['127.0.0.0/8', '::1/128'] };

/**
 * Calls to one identity provider, through the host's outbound door.
 *
 * A provider configured on this machine may be reached there. A provider elsewhere may not point to this machine: what its documents
 * say is the provider's word, not the operator's.
 */
export class ProviderHttp {
  private readonly targets: OutboundTargets | undefined;

  /**
   * @param configuredUrl what the operator wrote down for this provider
   * @param targets what the operator allows providers beside the host's rule
   */
  constructor(
    private readonly http: OutboundHttp,
    configuredUrl: string,
    targets?: OutboundTargets,
  ) {
    this.targets = targets ?? (isLoopback(configuredUrl) ? THIS_MACHINE : undefined);
  }

  /** @throws {Error} for anything but a JSON object within 2 seconds and 256 KiB */
  getJson(url: string): Promise<Record<string, unknown>> {
    return fetchJson(this.http, url, this.targets);
  }

  /** @throws {Error} for anything but a JSON object within 2 seconds and 256 KiB */
  async postForm(url: string, form: Record<string, string>, authorization: string): Promise<Record<string, unknown>> {
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', authorization };
    const options = { maxBytes: IDP_MAX_BYTES, timeoutMs: IDP_TIMEOUT_MS, headers, targets: this.targets };
    return toJsonObject(await this.http.post(url, new URLSearchParams(form).toString(), options), url);
  }
}
