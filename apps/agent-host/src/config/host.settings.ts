import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { frontDoorSettings } from '../front-door/front-door.settings.js';
import { limitSettings } from '../front-door/limits.settings.js';
import { retentionSettings } from '../privacy/retention.settings.js';
import { commaList, settingNotes, wholeNumber } from './setting-notes.js';
import { webhookSettings } from './webhook.settings.js';

const port = wholeNumber(1, 65_535);
const PORT_RANGE = 'a whole number from 1 to 65535';

/**
 * The settings of the host as the environment spells them: validated, with their defaults. A variable set to nothing counts as unset.
 *
 * @see HostConfig for what the code works with
 */
export const hostSettings = z.object({
  HOST: z.string().default('127.0.0.1').register(settingNotes, {
    means: 'Address that HTTP and gRPC listen on. The default is reachable from this machine only',
    expects: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
  }),
  PORT: port.prefault('3000').register(settingNotes, {
    means: 'Port of JSON-RPC, HTTP+JSON, the cards, the catalog and health',
    expects: PORT_RANGE,
  }),
  GRPC_PORT: port.prefault('50051').register(settingNotes, { means: 'Port of gRPC', expects: PORT_RANGE }),
  DATABASE_URL: z
    .string()
    .regex(/^(memory:$|sqlite:.|postgres(ql)?:\/\/.)/)
    .default('sqlite:./data/a2a.sqlite')
    .register(settingNotes, {
      means: 'Where tasks live: a SQLite file for one process, PostgreSQL, or memory, which forgets everything at the end',
      expects: '`sqlite:<file>`, `postgres://<user>:<password>@<host>/<database>` or `memory:`',
      secret: true,
    }),
  A2A_PUBLIC_URL: z.string().refine(isBareUrl).transform(withoutTrailingSlash).optional().register(settingNotes, {
    means: 'URL under which clients reach the HTTP port. Cards are made from it and from nothing a request says',
    expects: 'an http or https URL without user, query or fragment, such as https://agents.example.com',
    otherwise: '`http://HOST:PORT`; `https://HOST:PORT` with TLS',
    secret: true,
  }),
  A2A_PUBLIC_GRPC: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:/@]+):\d{1,5}$/)
    .optional()
    .register(settingNotes, {
      means: 'Address under which clients reach the gRPC port, for the cards',
      expects: '`host:port`, without a scheme',
      otherwise: 'host of A2A_PUBLIC_URL, GRPC_PORT',
    }),
  HTTP_ADAPTER: z.enum(['express', 'fastify']).default('express').register(settingNotes, {
    means: 'HTTP server below Nest',
    expects: '`express` or `fastify`',
  }),
  A2A_DEFAULT_AGENT: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,63}$/)
    .optional()
    .register(settingNotes, {
      means: 'Agent served at the root paths beside `/agents/<id>`',
      expects: 'the id of an agent of this host, such as echo',
      otherwise: '`incident-analyst`; `conformance` where that agent is on',
    }),
  A2A_SECRET: z.string().min(32).optional().register(settingNotes, {
    means: 'Secret behind page tokens, sealed webhook credentials and signatures of webhooks; the same on every replica',
    expects: 'at least 32 random characters, such as the output of `openssl rand -hex 32`',
    otherwise:
      'SQLite: random, kept beside the database, readable by its owner only. Memory: random, ends with the process. PostgreSQL: has to be set',
    secret: true,
  }),
  A2A_SECURITY_FILE: z.string().optional().register(settingNotes, {
    means: 'JSON file with the schemes of this host and what each agent asks of its callers; see docs/identity.md',
    expects: 'the path of a file',
    otherwise: 'none: every agent is open',
  }),
  ...webhookSettings,
  A2A_TRUSTED_PROXIES: commaList()
    .refine((list) => list.every(isAddressOrRange))
    .optional()
    .register(settingNotes, {
      means: 'Proxies whose X-Forwarded-For is believed, over HTTP and gRPC, when the host looks for the address of a caller',
      expects: 'IP addresses or ranges, separated by commas, such as 10.0.0.0/8,::1',
      otherwise: 'none',
    }),
  ...frontDoorSettings,
  ...limitSettings,
  ...retentionSettings,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').register(settingNotes, {
    means: 'Least serious log line that is written',
    expects: 'one of fatal, error, warn, info, debug, trace, silent',
  }),
  A2A_DRAIN_TIMEOUT_MS: wholeNumber(0, 3_600_000).prefault('10000').register(settingNotes, {
    means: 'Milliseconds that running turns may go on after SIGTERM or SIGINT',
    expects: 'a whole number from 0 to 3600000',
  }),
  A2A_CONFORMANCE_AGENT: z.stringbool().prefault('0').register(settingNotes, {
    means: 'Adds the conformance agent. For tests only: it does whatever a caller asks',
    expects: '1 or 0',
  }),
  A2A_CONFORMANCE_PROFILE: z.enum(['full', 'bare', 'extension']).default('full').register(settingNotes, {
    means: 'What the conformance agent declares',
    expects: '`full`, `bare` or `extension`',
  }),
  A2A_CONFORMANCE_EXTENDED_CARD: z.stringbool().prefault('0').register(settingNotes, {
    means: 'Gives the conformance agent an extended card, in the profile `full`',
    expects: '1 or 0',
  }),
});

/** The settings once they are read, in the spelling of the environment. */
export type HostSettings = z.output<typeof hostSettings>;
/** Names of environment variables. */
export type SettingName = keyof HostSettings;

function isBareUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function isAddressOrRange(entry: string): boolean {
  return ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
}
