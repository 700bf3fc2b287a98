import { type Analysis } from '../analysis.js';
import { type Claim, claim, placeOf, quote } from '../citation.js';
import { confidenceIn, type Suspect } from '../findings/suspect.js';
import { saidInShort } from './said.js';
import { between, formatDuration, formatMoment, plural } from '../wording.js';

const OPENING = { strong: 'Most likely cause', fair: 'Probable cause', thin: 'Possible cause, on thin evidence' } as const;

const DESCRIBED = 'No cause is told; what is described';

/** A few sentences that tell the whole story. Never empty for an input with lines. */
export function summaryOf(analysis: Analysis): Claim[] {
  const { suspects, problems, records, lines } = analysis;
  const [suspect] = suspects;
  const [first, last] = [problems[0], problems.at(-1)];
  const all = { from: 1, to: Math.max(1, lines.count) };
  if (!first || !last) return [claim(`Nothing in these ${plural(records.length, 'record')} says that something failed.`, all)];
  if (!suspect) return [claim(`${plural(problems.length, 'problem')}, and nothing that tells where they began.`, first, last)];
  return [cause(suspect), ...beginning(analysis), ...after(analysis, suspect)];
}

/** The same in one line of plain text, for a status message. */
export function headline({ suspects, problems, records }: Analysis): string {
  const [suspect] = suspects;
  if (problems.length === 0) return `Nothing in ${plural(records.length, 'record')} says that something failed.`;
  if (!suspect) return `${plural(problems.length, 'problem')} found; no cause stands out.`;
  const where = suspect.first.service ? ` in ${suspect.first.service}` : '';
  return `${openingOf(suspect)}: ${suspect.title.replaceAll('`', '')}${where} (line ${suspect.first.from}). ${plural(problems.length, 'problem')} in ${plural(records.length, 'record')}.`;
}

/** Words that name no more than what was felt must not be sold as its cause. */
function openingOf(suspect: Suspect): string {
  const { id, kind, first } = suspect;
  const isCauseless = kind === 'effect' || id === 'unknown-error';
  return isCauseless && first.format === 'plain-text' ? DESCRIBED : OPENING[confidenceIn(suspect)];
}

function cause(suspect: Suspect): Claim {
  const { title, means, first } = suspect;
  const place = placeOf(first);
  const where = place ? ` in ${place}` : '';
  const when = first.time ? `, first at ${formatMoment(first.time)}` : '';
  const saying = first.format === 'plain-text' && suspect.id === 'unknown-error' ? '' : `: ${saidInShort(first)}`;
  return claim(`**${openingOf(suspect)}: ${title}**${where}${when}${saying}. ${means}`, first);
}

/** The very first problem, when it is not the suspect itself, and the change right before. */
function beginning({ suspects, problems }: Analysis): Claim[] {
  const [suspect] = suspects;
  const [first] = problems;
  const change = suspects.find(({ kind }) => kind === 'change');
  const told: Claim[] = [];
  if (change && change !== suspect)
    told.push(claim(`Shortly before, something was changed: ${quote(change.first.message, 120)}.`, change.first));
  if (first && suspect && suspect.kind !== 'change' && first !== suspect.first) {
    told.push(claim(`The first sign was ${saidInShort(first)}.`, first));
  }
  return told;
}

function after({ problems, groups }: Analysis, suspect: Suspect): Claim[] {
  const [first, last] = [problems[0], problems.at(-1)];
  if (!first || !last || first === last)
    return [claim(suspect.kind === 'change' ? 'The input tells of one problem.' : 'It is the only problem in the input.', suspect.first)];
  const ms = between(first.time, last.time);
  const within = ms === undefined ? '' : ` within ${formatDuration(ms)}`;
  return [claim(`In all, ${plural(problems.length, 'problem')} of ${plural(groups.length, 'kind')}${within}.`, first, last)];
}
