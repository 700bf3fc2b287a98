import { quote } from '../citation.js';
import { type KnownRecord } from '../log-record.js';
import { applicationFrame, rootCause } from '../stack-trace.js';
import { evidenceOf } from './known-record.js';
import { type SymptomRule } from './symptom-rule.js';
import { subjectIn } from './symptom.registry.js';

/** What a suspect is about: a rule's symptom, or one of the general matters below. */
export interface Matter {
  /** The rule's id, `exception`, `server-errors`, `refused-requests` or `unknown-error`. */
  readonly id: string;
  readonly kind: 'cause' | 'effect' | 'change';
  /** The score it starts with. */
  readonly weight: number;
  readonly means: string;
  readonly nextSteps: readonly string[];
  /** Markdown heading for the first record of the suspect. */
  title(first: KnownRecord): string;
}

export function matterOfRule(rule: SymptomRule): Matter {
  const { id, kind, weight, means, nextSteps } = rule;
  return {
    id,
    kind: kind === 'recovery' ? 'effect' : kind,
    weight,
    means,
    nextSteps,
    title(first) {
      const subject = subjectIn(evidenceOf(first), rule);
      return subject ? `${rule.title}: ${quote(subject, 100)}` : rule.title;
    },
  };
}

export const EXCEPTION: Matter = {
  id: 'exception',
  kind: 'cause',
  weight: 48,
  means: 'Code failed with an error that it did not handle.',
  nextSteps: ['Read the code at the first application frame, and compare it with the last version that worked.'],
  title({ trace, message }) {
    if (!trace) return quote(message, 100);
    const frame = applicationFrame(trace);
    const type = quote(rootCause(trace).type, 100);
    return frame?.call ? `${type} in ${quote(frame.call, 100)}` : type;
  },
};

const UNKNOWN = {
  id: 'unknown-error',
  kind: 'cause',
  means: 'An error of a kind that this analysis does not know by sight.',
  nextSteps: ['Read the lines before it, and look for the same message in earlier, healthy logs.'],
  title: ({ message, label }: KnownRecord) => `Error ${quote(message || (label ?? ''), 80)}`,
} as const;

export const UNKNOWN_ERROR: Matter = { ...UNKNOWN, weight: 30 };

/** Only its words make it look like trouble. */
export const UNKNOWN_TROUBLE: Matter = { ...UNKNOWN, weight: 18 };

/** Only a person's words, and they name no known symptom. */
export const DESCRIBED_TROUBLE: Matter = {
  ...UNKNOWN,
  weight: 18,
  means: 'The description alone does not tell why.',
  nextSteps: ['Send the logs of what is described, from shortly before it began.'],
  title: ({ message }) => quote(message, 120),
};

export const SERVER_ERRORS: Matter = {
  id: 'server-errors',
  kind: 'effect',
  weight: 16,
  means: 'Requests were answered with server errors.',
  nextSteps: ['Look at the log of the service that answered them, at the same times.'],
  title: () => 'Server errors (HTTP 5xx)',
};

export const REFUSED_REQUESTS: Matter = {
  id: 'refused-requests',
  kind: 'effect',
  weight: 10,
  means: 'Requests were answered with a refusal: not allowed, too many, or too slow.',
  nextSteps: ['Look at who was refused, and whether that began at a certain moment.'],
  title: () => 'Requests refused (HTTP 4xx)',
};
