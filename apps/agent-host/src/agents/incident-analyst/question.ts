/** What a short message asks for, beside or instead of bringing logs. */
export interface Question {
  /** Id of the skill that answers it. */
  readonly wants?: 'timeline' | 'group-errors';
  /** Service or word to look at alone. */
  readonly focus?: string;
  /** The text is a question or instruction about an input, and no input itself. */
  readonly isQuestion: boolean;
}

/** Longer texts are logs and reports. */
const LONGEST = 300;
const MOST_LINES = 3;
const ONLY = /\b(?:only|just|show(?: me)?|give(?: me)?)\b[\w ]{0,24}\b(timeline|errors?|error groups?|signatures?)\b/i;
const FOCUS = /\b(?:focus|concentrate|zoom in|look only|only look) (?:on|at)\s(?:the\s)?["'`]?([\w.-]{2,80})/i;
const ONLY_SERVICE = /\bonly (?:the )?["'`]?([\w.-]{2,80})["'`]? (?:service|pod|host|component)\b/i;

/** Reads a caller's text as a question; a long text is none. */
export function questionIn(text: string): Question {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST || trimmed.split('\n').length > MOST_LINES) return { isQuestion: false };
  const asked = ONLY.exec(trimmed)?.[1]?.toLowerCase();
  const wants = asked === undefined ? undefined : asked === 'timeline' ? 'timeline' : 'group-errors';
  const focus = (FOCUS.exec(trimmed) ?? ONLY_SERVICE.exec(trimmed))?.[1]?.replace(/\.$/, '');
  return { wants, focus, isQuestion: wants !== undefined || focus !== undefined || trimmed.endsWith('?') };
}
