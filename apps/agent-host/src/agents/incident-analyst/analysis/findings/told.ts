import { type KnownRecord, type LogRecord } from '../log-record.js';

const SENTENCE_END = /(?<=[.!?])\s/;
/** A request to the analyst, or the heading of what was sent. */
const REQUEST =
  /^(?:(?:please|kindly|hi|hello|hey)[,!]? )?(?:(?:explain|analy[sz]e|investigate|diagnose|summari[sz]e) \w|(?:describe|find|show|check) (?:out|me|what|why|whether|if|how|the|this|these|my|our)\b|(?:tell|give|help) me\b|look (?:at|into)\b|focus on\b|see (?:the )?(?:attached|below)\b|here (?:is|are)\b|attached (?:is|are|you)\b|why\b|what (?:went|happened|caused|is wrong)\b|(?:can|could|would|will) you\b)|^(?:the|my|our|this|these) (?:\w{1,20} ){0,2}(?:logs?|files?|traces?|output)\b[\w '’.-]{0,60}:$/i;
const GREETING = /^(?:hi|hello|hey|thanks|thank you|please)\b[\w ]{0,20}[.!,]*$/i;
/** Trouble as people put it. In a log the same words often mean nothing. */
const TROUBLE_IN_WORDS =
  /\b(?:lag(?:s|ging)?|slow(?:er|ly|ness)?|delay(?:s|ed)?|degraded|broke|unavailable|unreachable|timeouts?|can ?not|can['’]t|won['’]t (?:start|run|load|open|connect)|unable to|stopped (?:working|responding|processing|answering)|no longer (?:work|respond|answer|load|start)s?|5\d\ds?)\b|\b(?:not|isn['’]t|aren['’]t|wasn['’]t|weren['’]t) (?:being |yet )?(?:processed|delivered|sent|received|working|responding|loading|running|started|starting|available|reachable|accessible|completed|finished|updated|syncing)\b|\b(?:(?:do|does|did) not|don['’]t|doesn['’]t|didn['’]t) (?:run|start|work|load|open|respond|answer|finish|complete|arrive|connect|sync|update|get through)\b/i;
const NO_TROUBLE_IN_WORDS = /\b(?:no|not|never|no longer|without)(?: any)? (?:slow(?:er)?|lag|delay(?:s|ed)?|degraded|timeouts?)\b/i;
/** When it was, without a clock. */
const WHEN =
  /\b(?:since|today|yesterday|tonight|this (?:morning|afternoon|evening|week)|last (?:night|week)|nightly|daily|hourly|every)\b/i;

const CHANGE = String.raw`(?:deploy\w{0,6}|releas(?:e|ed)|roll(?:ed|ing)?[ -]?out|upgrad(?:e|ed|ing)|updat(?:e|ed|ing)|config(?:uration)? (?:change|update)|changed)`;
const CHANGE_BEFORE = new RegExp(
  String.raw`\b(?:since|after|following|due to|because of|once) (?:[\w.'’-]{1,30} ){0,3}${CHANGE}\b|\b${CHANGE}\b[\w: ]{0,40} (?:broke|caused|introduced)\b|\b${CHANGE}\b[^?!]{0,80}\b(?:since then|ever since|after that|afterwards|from then on)\b`,
  'i',
);

/** `since` asserts what lasts, in a question too, unless that asks for a list. */
const ASSERTS = /^(?!(?:what|which|how|who|list|show|any|were|are|did)\b).{0,400}\bsince\b/i;

/** What a text tells, without its questions, requests and greetings. Empty when it only asks. */
export function toldIn(text: string): string {
  const told = text.split(SENTENCE_END).filter((sentence) => {
    const said = sentence.trim();
    return ASSERTS.test(said) || (!said.endsWith('?') && !GREETING.test(said) && !REQUEST.test(said));
  });
  return told.join(' ').trim();
}

/** Prose that only asks about an input. */
export function onlyAsks({ format, message }: LogRecord): boolean {
  return format === 'plain-text' && toldIn(message) === '';
}

/** A person's words say that something went wrong. */
export function tellsOfTrouble(text: string): boolean {
  return TROUBLE_IN_WORDS.test(text) && !NO_TROUBLE_IN_WORDS.test(text);
}

/** A line of prose says when it was, by the clock or in words. */
export function tellsWhen({ time, message }: LogRecord): boolean {
  return time !== undefined || WHEN.test(message);
}

/** A line of prose that puts a change before the trouble in one breath: `since the deploy at 9:30 the checkout is slow`. */
export function tellsOfChangeBefore({ format, message, problem, symptoms }: KnownRecord): boolean {
  return format === 'plain-text' && problem && symptoms.some(({ kind }) => kind === 'change') && CHANGE_BEFORE.test(message);
}
