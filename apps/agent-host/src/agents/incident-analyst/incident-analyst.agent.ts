import { Agent, type ChoosesSkill, type TurnContext } from '@a2a/a2a-core';
import { ERROR_MODES, REPORT_MODES } from './artifacts.js';
import { questionIn } from './question.js';

/** Explains failures from logs and reports, with nothing but rules: no model, no network. */
@Agent({
  id: 'incident-analyst',
  name: 'Incident Analyst',
  description:
    'Reads failure reports and raw logs (syslog, web server logs, JSON lines, stack traces, Kubernetes events, plain words) and answers what probably went wrong, what happened first and what to do next. Every statement cites the lines that show it.',
  version: '1.0.0',
  defaultInputModes: ['text/plain', 'text/*', 'application/json', 'application/x-ndjson', 'application/octet-stream', '*/*'],
  defaultOutputModes: ['text/markdown', 'text/plain', 'application/json'],
  // A log is one long text: as much of it as a request may hold.
  limits: { textBytes: 1_048_576 },
})
export class IncidentAnalystAgent implements ChoosesSkill {
  /** What the caller asks for in words, or the only skill that makes what the caller can use. */
  chooseSkill(turn: TurnContext): string | undefined {
    const { wants } = questionIn(turn.text);
    if (wants) return wants;
    const onlyGroupsFit = !turn.preferredOutputMode(REPORT_MODES) && turn.preferredOutputMode(ERROR_MODES);
    return onlyGroupsFit ? 'group-errors' : undefined;
  }
}
