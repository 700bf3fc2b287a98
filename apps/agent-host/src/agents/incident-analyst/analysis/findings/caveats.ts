import { type Claim, claim } from '../citation.js';
import { type InputLines } from '../input/input-lines.js';
import { MATCHED_LENGTH } from '../input/text-lines.js';
import { type KnownRecord } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';
import { formatMoment, plural } from '../wording.js';

/** How times were read, and what could not be read: what a reader should know before trusting the rest. Records in order of time. */
export async function findCaveats(lines: InputLines, records: readonly KnownRecord[], pacer: Pacer): Promise<Claim[]> {
  const timed = { zoneless: 0, offsets: new Map<string, KnownRecord>(), guessed: 0, yearless: 0, untimed: 0 };
  let zoneless: KnownRecord | undefined;
  let guessed: KnownRecord | undefined;
  let yearless: KnownRecord | undefined;
  let aged: KnownRecord | undefined;
  await paced(records, pacer, (record) => {
    const { time } = record;
    if (!time) timed.untimed += 1;
    else if (time.kind === 'age') aged ??= record;
    else if (!time.zoned) {
      timed.zoneless += 1;
      zoneless ??= record;
    }
    if (time?.approximate) {
      timed.guessed += 1;
      guessed ??= record;
    }
    if (time?.guessedYear) {
      timed.yearless += 1;
      yearless ??= record;
    }
    if (time?.offset && timed.offsets.size < 5 && !timed.offsets.has(time.offset)) timed.offsets.set(time.offset, record);
  });
  const last = records.at(-1);
  const found: (Claim | undefined)[] = [
    zoneless && claim(`Times without a zone (${plural(timed.zoneless, 'record')}) are read as UTC.`, zoneless),
    ...[...timed.offsets].map(([offset, record]) => claim(`Times with the offset ${offset} are shown in UTC.`, record)),
    guessed &&
      claim(
        `Dates or ages (${plural(timed.guessed, 'record')}) are worked out from other lines and marked ≈, as ${formatMoment(guessed.time)} here.`,
        guessed,
      ),
    yearless &&
      claim(`Times without a year (${plural(timed.yearless, 'record')}) are read as ${formatMoment(yearless.time).slice(0, 4)}.`, yearless),
    aged && claim('Kubernetes lists events by age, so their order is known and their clock time is not.', aged),
    last && timed.untimed === records.length
      ? claim('No line carries a time: the order is that of the lines.', records[0] as KnownRecord, last)
      : undefined,
    lines.longLines > 0
      ? claim(
          `Of lines longer than ${MATCHED_LENGTH} characters (${lines.longLines}), only the beginning was looked at, unless they are JSON.`,
          longest(lines),
        )
      : undefined,
  ];
  return found.filter((item) => item !== undefined);
}

function longest(lines: InputLines): { readonly from: number; readonly to: number } {
  for (let line = 1; line <= lines.count; line += 1) if (lines.full(line).length > MATCHED_LENGTH) return { from: line, to: line };
  return { from: 1, to: 1 };
}
