import { z } from 'zod';
import { hostSettings, type SettingName } from './host.settings.js';
import { settingNotes } from './setting-notes.js';

/** The table of `docs/configuration.md`, one row a setting. */
export function settingsTable(): string {
  const rows = (Object.keys(hostSettings.shape) as SettingName[]).map((name) => {
    const notes = settingNotes.get(hostSettings.shape[name]);
    return `| \`${name}\` | ${notes?.otherwise ?? `\`${defaultOf(name)}\``} | ${notes?.means}. Must be ${notes?.expects} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf(name: SettingName): string {
  const schema: z.ZodType = hostSettings.shape[name];
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return String(schema.def.defaultValue);
  throw new Error(`${name} has neither a default nor a word about what happens without one`);
}
