import { type Claim, claim, quote } from '../citation.js';
import { type KnownRecord } from '../log-record.js';
import { isError } from '../severity.js';
import { between, formatDuration } from '../wording.js';

const START =
  /^started\b(?! (?:processing|handling|job|task|request))|\bstarted in \d|\bstarted successfully\b|\bstart-?up complete\b|\bready (?:to accept|for) (?:connections|requests|traffic)\b|\baccepting connections\b|\bup and running\b|\blistening (?:on|at)\b|\bStarted [\w@.-]{1,80}\.service\b/i;
const MOST_ROUTES = 3;

/**
 * Watches the records, in order of time, for what shows that things got better: a recovery that is reported, a start after the last
 * problem, requests that succeed where they failed.
 */
export class RecoverySigns {
  #reported: KnownRecord | undefined;
  #start: KnownRecord | undefined;
  readonly #failed = new Map<string, KnownRecord>();
  readonly #again = new Map<string, KnownRecord>();

  see(record: KnownRecord): void {
    if (record.symptoms.some(({ kind }) => kind === 'recovery')) this.#reported = record;
    if (record.problem) this.#start = undefined;
    else if (!isError(record.severity) && START.test(record.message)) this.#start = record;
    this.#seeRequest(record);
  }

  /** How it ended, as far as the input shows. */
  claims(last: KnownRecord, end: KnownRecord): Claim[] {
    const reported = this.#reported;
    if (reported && reported.orderMs >= last.orderMs) {
      return [claim(`Things got better: ${quote(reported.message, 120)}; no problem comes after it.`, reported, last)];
    }
    const signs = [...this.#started(last), ...this.#succeeding()];
    if (signs.length > 0) return signs;
    if (reported) {
      return [claim(`A recovery is reported, ${quote(reported.message, 120)}, but problems go on after it.`, reported, last)];
    }
    const quietMs = between(last.time, end.time);
    const quiet =
      quietMs !== undefined && quietMs >= 60_000 ? `; the last problem is ${formatDuration(quietMs)} before the end of the input` : '';
    return [claim(`The input reports no recovery${quiet}.`, last, end)];
  }

  #seeRequest(record: KnownRecord): void {
    const { http } = record;
    if (!http?.route) return;
    const key = `${http.method ?? ''} ${http.route}`;
    if (http.status >= 500) {
      this.#failed.set(key, record);
      this.#again.delete(key);
    } else if (http.status < 400 && this.#failed.has(key) && !this.#again.has(key)) this.#again.set(key, record);
  }

  #started(last: KnownRecord): Claim[] {
    const start = this.#start;
    if (!start) return [];
    return [claim(`After the last problem comes a start, ${quote(start.message, 120)}; no problem follows it.`, start, last)];
  }

  #succeeding(): Claim[] {
    return [...this.#again].slice(0, MOST_ROUTES).flatMap(([key, success]) => {
      const failure = this.#failed.get(key);
      const route = quote(success.http?.route ?? '', 100);
      return failure ? [claim(`${route} is answered without error again, after its last failure.`, success, failure)] : [];
    });
  }
}
