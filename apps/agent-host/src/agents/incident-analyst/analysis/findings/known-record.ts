import { type KnownRecord, type LogRecord, wordsOf } from '../log-record.js';
import { isError } from '../severity.js';
import { rootCause, titleOf } from '../stack-trace.js';
import { signatureOf } from './signature.js';
import { type SymptomRule } from './symptom-rule.js';
import { symptomsIn } from './symptom.registry.js';
import { tellsOfTrouble, toldIn } from './told.js';

/** Characters of a record that symptoms are looked for in. */
const LOOKED_AT = 4_096;
const TROUBLE =
  /\b(?:errors?|fail(?:ed|ure|ures|ing|s)?|exceptions?|fatal|panic|crash(?:ed|es|ing)?|unable to|could not|cannot|refused|aborted|corrupt(?:ed)?|down|outage|unavailable|broken|5\d\d)\b/i;
const NO_TROUBLE =
  /\b(?:no|zero|0|without(?: any)?|not? any) (?:\w{1,20} )?(?:errors?|failures?|failed|exceptions?)\b|\b(?:errors?|failures?|failed)["']?[=:] ?(?:0|null|none|false|\[\])(?![\w.])/i;

/** What a record says, with the exceptions of its trace. */
export function evidenceOf(record: LogRecord): string {
  const text = wordsOf(record);
  const root = record.trace && titleOf(rootCause(record.trace));
  return (root && !text.includes(root) ? `${root} | ${text}` : text).slice(0, LOOKED_AT);
}

/**
 * Completes a record with what it is a sign of.
 *
 * A line that its writer marked as information is taken at its word: it can be a change or a recovery, not a problem.
 */
export function know(record: LogRecord): KnownRecord {
  const text = evidenceOf(record);
  const all = NO_TROUBLE.test(text) && !isError(record.severity) ? [] : rootFirst(record, symptomsIn(text));
  const calm = record.severity === 'info' || record.severity === 'debug';
  const symptoms = calm ? all.filter(({ kind }) => kind === 'change' || kind === 'recovery') : all;
  const problem = isProblem(record, symptoms, text);
  return { ...record, symptoms, problem, signature: problem ? signatureOf(record) : undefined, orderMs: 0 };
}

/** Signs in the deepest cause of a trace come before those in what is wrapped around it. */
function rootFirst(record: LogRecord, all: readonly SymptomRule[]): readonly SymptomRule[] {
  if (!record.trace || all.length < 2) return all;
  const root = titleOf(rootCause(record.trace));
  return [...all.filter(({ pattern }) => pattern.test(root)), ...all.filter(({ pattern }) => !pattern.test(root))];
}

function isProblem(record: LogRecord, symptoms: KnownRecord['symptoms'], text: string): boolean {
  if (isError(record.severity) || record.trace) return true;
  if (record.severity === 'info' || record.severity === 'debug') return false;
  if (symptoms.some(({ kind }) => kind === 'cause' || kind === 'effect')) return true;
  if (record.severity === 'warning') return record.http !== undefined && record.http.status !== 401 && record.http.status !== 499;
  // A line of prose may tell of a change and of what broke in one breath; a log line about a change is about that alone.
  const mayBeTrouble = symptoms.length === 0 || (record.format === 'plain-text' && symptoms.every(({ kind }) => kind === 'change'));
  if (!mayBeTrouble || NO_TROUBLE.test(text)) return false;
  if (record.format !== 'plain-text') return TROUBLE.test(text);
  const told = toldIn(text);
  return TROUBLE.test(told) || tellsOfTrouble(told);
}
