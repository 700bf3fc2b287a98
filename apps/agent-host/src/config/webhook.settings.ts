import { type A2aPushOptions } from '@a2a/a2a-core';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { commaList, settingNotes, wholeNumber } from './setting-notes.js';

const port = wholeNumber(1, 65_535);

/** Settings of webhooks; part of `hostSettings`. */
export const webhookSettings = {
  A2A_PREVIOUS_SECRETS: commaList()
    .pipe(z.array(z.string().min(32)))
    .optional()
    .register(settingNotes, {
      means: 'Values that A2A_SECRET had before: what they sealed can still be opened, and webhooks are signed with them too',
      expects: 'secrets of at least 32 characters without commas, newest first, separated by commas',
      otherwise: 'none',
      secret: true,
    }),
  A2A_WEBHOOK_ARTIFACT_UPDATES: z.enum(['complete', 'all', 'none']).default('complete').register(settingNotes, {
    means: 'Artifact updates that go to webhooks: whole artifacts, every chunk, or none. Status updates always go',
    expects: '`complete`, `all` or `none`',
  }),
  A2A_WEBHOOKS_PER_TASK: wholeNumber(1, 1_000).prefault('5').register(settingNotes, {
    means: 'Webhooks that one task may have',
    expects: 'a whole number from 1 to 1000',
  }),
  A2A_WEBHOOKS_PER_CALLER: wholeNumber(1, 1_000_000).prefault('100').register(settingNotes, {
    means: 'Webhooks on unfinished tasks that one caller may have with one agent',
    expects: 'a whole number from 1 to 1000000',
  }),
  A2A_WEBHOOK_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('15000').register(settingNotes, {
    means: 'Milliseconds that a receiver has to answer, connecting included',
    expects: 'a whole number from 100 to 60000',
  }),
  A2A_WEBHOOK_RETRY_DELAYS_MS: commaList()
    .pipe(z.array(wholeNumber(0, 604_800_000)).min(1))
    .prefault('5000,300000,1800000,7200000,18000000,36000000,50400000,72000000,86400000')
    .register(settingNotes, {
      means: 'Milliseconds before each further attempt of a delivery; after the last one the webhook is disabled',
      expects: 'whole numbers separated by commas',
    }),
  A2A_WEBHOOK_HOST_CONCURRENCY: wholeNumber(1, 1_000).prefault('4').register(settingNotes, {
    means: 'Deliveries to one host at the same moment',
    expects: 'a whole number from 1 to 1000',
  }),
  A2A_WEBHOOK_HOST_RATE: wholeNumber(1, 100_000).prefault('10').register(settingNotes, {
    means: 'Deliveries to one host in a second',
    expects: 'a whole number from 1 to 100000',
  }),
  A2A_WEBHOOK_PORTS: z
    .union([z.literal('*'), commaList().pipe(z.array(port))])
    .prefault('443,8443')
    .register(settingNotes, { means: 'Ports that webhooks may point at', expects: 'ports separated by commas, or `*`' }),
  A2A_WEBHOOK_ALLOW_HTTP: z.stringbool().prefault('0').register(settingNotes, {
    means: 'Lets webhooks point at http: beside https:. For development only',
    expects: '1 or 0',
  }),
  A2A_WEBHOOK_OPEN_NETWORKS: commaList()
    .refine((ranges) => ranges.every((range) => ipaddr.isValidCIDR(range)))
    .optional()
    .register(settingNotes, {
      means: 'Networks that webhooks may point at although they are not public. For development only',
      expects: 'ranges separated by commas, such as 127.0.0.0/8,::1/128',
      otherwise: 'none',
    }),
};

/** As `HostSettings`, those about webhooks. */
export type WebhookSettings = z.output<z.ZodObject<typeof webhookSettings>>;

/** What the host tells A2aPushModule, beside its secret. */
export type WebhookConfig = Omit<A2aPushOptions, 'secret'>;

export function toWebhookConfig(settings: WebhookSettings): WebhookConfig {
  return {
    previousSecrets: settings.A2A_PREVIOUS_SECRETS ?? [],
    artifactUpdates: settings.A2A_WEBHOOK_ARTIFACT_UPDATES,
    configsPerTask: settings.A2A_WEBHOOKS_PER_TASK,
    configsPerOwner: settings.A2A_WEBHOOKS_PER_CALLER,
    timeoutMs: settings.A2A_WEBHOOK_TIMEOUT_MS,
    retryDelaysMs: settings.A2A_WEBHOOK_RETRY_DELAYS_MS,
    hostConcurrency: settings.A2A_WEBHOOK_HOST_CONCURRENCY,
    hostRate: settings.A2A_WEBHOOK_HOST_RATE,
    targets: {
      ports: settings.A2A_WEBHOOK_PORTS,
      allowHttp: settings.A2A_WEBHOOK_ALLOW_HTTP,
      openNetworks: settings.A2A_WEBHOOK_OPEN_NETWORKS,
    },
  };
}
