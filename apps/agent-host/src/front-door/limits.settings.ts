import { z } from 'zod';
import { DEFAULT_RATES, type RateName } from '@a2a/auth';
import { settingNotes, wholeNumber } from '../config/setting-notes.js';

/** Settings of how much and how often callers may ask. All other limits are options of the modules; docs/limits.md lists them. */
export const limitSettings = {
  A2A_MAX_REQUEST_BYTES: wholeNumber(1_024, 16_777_216).prefault('1048576').register(settingNotes, {
    means: 'Bytes of a request, for agents that set no limit of their own',
    expects: 'a whole number from 1024 to 16777216',
  }),
  A2A_RATE_PER_ADDRESS: rate('Calls that one address may make', 'address'),
  A2A_RATE_PER_CALLER: rate('Points that one caller may spend with one agent; a message costs 10, a read 1', 'caller'),
  A2A_RATE_PER_TENANT: rate('Points that all callers of one tenant may spend', 'tenant'),
  A2A_RATE_PER_AGENT: rate('Points that all callers of one agent may spend', 'agent'),
};

function rate(means: string, name: RateName) {
  const { points, seconds } = DEFAULT_RATES[name];
  return z
    .string()
    .regex(/^(unlimited|[1-9]\d{0,8}\/[1-9]\d{0,5})$/)
    .transform(parseRate)
    .optional()
    .register(settingNotes, {
      means,
      expects: '`points/seconds`, such as 6000/60, or `unlimited`',
      otherwise: `\`${points}/${seconds}\`; \`unlimited\` where the conformance agent is on`,
    });
}

function parseRate(text: string) {
  if (text === 'unlimited') return text;
  const [points, seconds] = text.split('/').map(Number) as [number, number];
  return { points, seconds };
}
