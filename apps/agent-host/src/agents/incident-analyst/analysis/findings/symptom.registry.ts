import { type SymptomRule } from './symptom-rule.js';
import { LIFECYCLE_SYMPTOMS } from './symptoms/lifecycle.symptoms.js';
import { NETWORK_SYMPTOMS } from './symptoms/network.symptoms.js';
import { RESOURCE_SYMPTOMS } from './symptoms/resource.symptoms.js';
import { SOFTWARE_SYMPTOMS } from './symptoms/software.symptoms.js';

/** What the analyst knows by sight, most specific first. To teach it more, add a rule to one of these files. */
export const SYMPTOMS: readonly SymptomRule[] = [...RESOURCE_SYMPTOMS, ...SOFTWARE_SYMPTOMS, ...LIFECYCLE_SYMPTOMS, ...NETWORK_SYMPTOMS];

/** One look that tells whether any rule can match; most lines need no more. */
const ANY = new RegExp(SYMPTOMS.map(({ pattern }) => pattern.source).join('|'), 'i');

/** Every rule that matches, most specific first. */
export function symptomsIn(text: string): readonly SymptomRule[] {
  return ANY.test(text) ? SYMPTOMS.filter(({ pattern }) => pattern.test(text)) : [];
}

/** What a rule says that something happened to, in the words of the text. */
export function subjectIn(text: string, rule: SymptomRule): string | undefined {
  const match = rule.subject?.exec(text);
  return match?.slice(1).find((group) => group !== undefined);
}
