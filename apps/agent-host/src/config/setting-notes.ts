import { z } from 'zod';

/** What people need to know of a setting; `docs/configuration.md` is made from it. */
export interface SettingNotes {
  readonly means: string;
  /** Completes the sentence "it must be …". */
  readonly expects: string;
  /** Said in place of a default that depends on other settings. */
  readonly otherwise?: string;
  /** The value may hold a credential, so no message repeats it. */
  readonly secret?: boolean;
}

/** Where entries of `hostSettings` keep their notes. */
export const settingNotes = z.registry<SettingNotes>();

/** A number as the environment spells it. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** Entries separated by commas. */
export function commaList() {
  return z.string().transform((list) => list.split(',').map((entry) => entry.trim()));
}
