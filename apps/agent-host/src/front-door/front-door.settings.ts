import { z } from 'zod';
import { commaList, settingNotes } from '../config/setting-notes.js';

const A_FILE = 'the path of a PEM file that this user may read';

/** A host name with or without a port, as `Host` has it. */
const HOST_NAME = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Settings of what every request meets first. */
export const frontDoorSettings = {
  A2A_TLS_CERT_FILE: z.string().optional().register(settingNotes, {
    means: 'Certificate of this host, its chain behind it. With A2A_TLS_KEY_FILE it turns TLS on, for HTTP and gRPC alike',
    expects: A_FILE,
    otherwise: 'none: HTTP and gRPC are plaintext',
  }),
  A2A_TLS_KEY_FILE: z.string().optional().register(settingNotes, {
    means: 'Private key of the certificate',
    expects: A_FILE,
    otherwise: 'none',
  }),
  A2A_TLS_CA_FILE: z.string().optional().register(settingNotes, {
    means: "Authorities of clients' certificates. With it clients are asked for a certificate; agents say whether they need one",
    expects: A_FILE,
    otherwise: 'none: clients are asked for none',
  }),
  A2A_ALLOWED_HOSTS: commaList()
    .refine((list) => list.every((entry) => HOST_NAME.test(entry)))
    .optional()
    .register(settingNotes, {
      means: 'Names that this host answers to; a request with another `Host` gets 421. `/health` answers to all',
      expects: 'host names, separated by commas, with or without a port, such as agents.example.com',
      otherwise: 'every name',
    }),
  A2A_CORS_ORIGINS: commaList()
    .refine((list) => list.every((entry) => entry === '*' || isOrigin(entry)) && (list.length === 1 || !list.includes('*')))
    .optional()
    .register(settingNotes, {
      means: 'Origins whose pages may call the operations from a browser. Cards are readable from everywhere regardless',
      expects: 'origins, separated by commas, such as https://console.example.com, or `*` for all',
      otherwise: 'none',
    }),
};

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
