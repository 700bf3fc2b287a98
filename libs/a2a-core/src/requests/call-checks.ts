import { Inject, Injectable } from '@nestjs/common';
import { type Message } from '@bufbuild/protobuf';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { AgentRegistry } from '../agents/agent-registry.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { CallAuthenticator } from '../call/call-authenticator.js';
import { type CallContext } from '../call/call-context.js';
import { RateLimits } from '../limits/rate-limits.js';
import {
  ExtensionSupportRequiredError,
  InvalidParamsError,
  PushNotificationNotSupportedError,
  UnsupportedOperationError,
} from '../protocol/errors.js';
import { type Operation, type OperationName, getOperation } from '../protocol/operations.js';
import { checkRequired } from '../protocol/request-validation.js';
import { EXTENSIONS_PARAM, negotiateVersion, parseExtensions, VERSION_PARAM } from '../protocol/service-params.js';
import { AgentLimits } from '../limits/agent-limits.js';
import { type IncomingCall } from './request-handler.js';

/** Every request message says its tenant; most name a task. */
export type AnyRequest = Message & { readonly tenant: string };

/** A call that may go on, and the agent it is for. */
export interface CheckedCall {
  readonly context: CallContext;
  readonly agent: HostedAgent;
}

/** What all eleven operations check before they look at any task, in the order of A2A §3.3.4. */
@Injectable()
export class CallChecks {
  constructor(
    @Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions,
    private readonly registry: AgentRegistry,
    private readonly authenticator: CallAuthenticator,
    private readonly rates: RateLimits,
    private readonly limits: AgentLimits,
  ) {}

  /**
   * @param taskId the task that the request names, if any
   * @throws {A2aError} for caller, rate, version, extensions, capability, parameters — the first that is wrong, in this order
   */
  async check(name: OperationName, request: AnyRequest, call: IncomingCall, taskId?: string): Promise<CheckedCall> {
    const operation = getOperation(name);
    const { agent, tenant } = this.registry.resolve(call, request.tenant);
    const principal = await this.authenticator.admit(call, agent, tenant, name, taskId);
    await this.rates.beforeWork({ agent, tenant, principal, operation: name, remoteAddress: call.remoteAddress });
    const version = negotiateVersion(call.headers.get(VERSION_PARAM), call.queryVersion, {
      whenMissing: this.options.assumeVersionWhenMissing,
    });
    const activatedExtensions = activateExtensions(agent, call.headers.get(EXTENSIONS_PARAM));
    checkCapability(agent, operation);
    checkRequired(operation.input, request);
    checkTenant(request.tenant, this.limits.limitsOf(agent).idLength);
    const context: CallContext = {
      operation: name,
      binding: call.binding,
      agentId: agent.id,
      tenant,
      principal,
      scope: { agentId: agent.id, tenant, owner: principal.owner },
      remoteAddress: call.remoteAddress,
      version,
      activatedExtensions,
      headers: call.headers,
      signal: call.signal,
      traceparent: call.headers.get('traceparent'),
      lastEventVersion: call.lastEventVersion,
    };
    return { context: Object.freeze(context), agent };
  }
}

/** What the agent declares and the caller asks for (A2A §4.6.3). */
function activateExtensions(agent: HostedAgent, requested: string | undefined): readonly string[] {
  const uris = parseExtensions(requested);
  const declared = agent.options.extensions ?? [];
  const missing = declared.filter(({ uri, required }) => required && !uris.includes(uri));
  if (missing.length > 0) throw new ExtensionSupportRequiredError(missing.map(({ uri }) => uri));
  return uris.filter((uri) => declared.some((extension) => extension.uri === uri));
}

/** The protocol gives tenants no form, but they are part of every key in a store. */
function checkTenant(tenant: string, maxLength: number): void {
  if (tenant.length > maxLength) throw InvalidParamsError.of('tenant', `at most ${maxLength} characters`);
}

function checkCapability({ options }: HostedAgent, { capability, name }: Operation): void {
  if (capability === 'streaming' && options.streaming === false)
    throw new UnsupportedOperationError('This agent does not stream', { operation: name });
  if (capability === 'pushNotifications' && !options.pushNotifications) throw new PushNotificationNotSupportedError();
  if (capability === 'extendedAgentCard' && !options.extendedAgentCard) {
    throw new UnsupportedOperationError('This agent has no extended card', { operation: name });
  }
}
