import { type DynamicModule, Module } from '@nestjs/common';
import { A2aBindingsModule } from '@a2a/a2a-bindings';
import { A2aCoreModule, A2aLogger, A2aPushModule } from '@a2a/a2a-core';
import { A2aStoreModule } from '@a2a/a2a-store';
import { A2aAuthModule, A2aRateLimitsModule } from '@a2a/auth';
import { OutboundModule } from '@a2a/outbound';
import { BillingModule } from './agents/billing/billing.module.js';
import { ConformanceModule } from './agents/conformance/conformance.module.js';
import { EchoModule } from './agents/echo/echo.module.js';
import { ExpenseApprovalModule } from './agents/expense-approval/expense-approval.module.js';
import { IncidentAnalystModule } from './agents/incident-analyst/incident-analyst.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { type HostConfig } from './config/host.config.js';
import { resolveHostSecret } from './config/host.secret.js';
import { HealthModule } from './health/health.module.js';
import { readIdentityConfig } from './identity/identity.config.js';
import { IdentityModule } from './identity/identity.module.js';

/** The whole system: what keeps tasks, which wires are served, which agents live here. */
@Module({})
export class AppModule {
  static forRoot(host: HostConfig, logger: A2aLogger): DynamicModule {
    const { publicUrl, defaultAgent, drainTimeoutMs } = host;
    const secret = resolveHostSecret(host);
    const identity = readIdentityConfig(host);
    return {
      module: AppModule,
      imports: [
        A2aCoreModule.forRoot({
          publicUrl,
          defaultAgent,
          drainTimeoutMs,
          secret,
          retention: host.retention,
          store: storeFor(host.databaseUrl),
          auth: A2aAuthModule.forRoot(identity),
          rates: A2aRateLimitsModule.forRoot(host.limits.rates),
          push: A2aPushModule.forRoot({ ...host.webhooks, secret }),
          overrides: [{ provide: A2aLogger, useValue: logger }],
        }),
        OutboundModule.forRoot(),
        HealthModule,
        IdentityModule,
        ApprovalsModule.forRoot({ publicUrl }),
        A2aBindingsModule.forRoot({
          httpAdapter: host.httpAdapter,
          trustedProxies: host.trustedProxies,
          cors: host.frontDoor.corsOrigins && { origins: host.frontDoor.corsOrigins },
          limits: { bodyBytes: host.limits.requestBytes },
        }),

        IncidentAnalystModule,
        ExpenseApprovalModule,
        EchoModule,
        ...(identity.agents?.['billing'] ? [BillingModule] : []),
        ...(host.conformance ? [ConformanceModule.forProfile(host.conformance)] : []),
      ],
    };
  }
}

/** `memory:` is what the core has without any store. */
function storeFor(url: string): DynamicModule | undefined {
  return url === 'memory:' ? undefined : A2aStoreModule.forRoot({ url });
}
