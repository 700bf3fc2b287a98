import { type Part } from '../gen/a2a_pb.js';

/** Whether `range` (`text/plain`, `text/*`, or any type) allows the type `offer`. Parameters and case do not count. */
export function acceptsMediaType(range: string, offer: string): boolean {
  const [rangeType = '', rangeSubtype = '*'] = bare(range).split('/');
  const [type = '', subtype = ''] = bare(offer).split('/');
  return (rangeType === '*' || rangeType === type) && (rangeSubtype === '*' || rangeSubtype === subtype);
}

/** The media type of a part: what it says, or what its kind implies; undefined when only the sender could know (A2A §3.3.2). */
export function mediaTypeOf(part: Part): string | undefined {
  if (part.mediaType) return part.mediaType;
  if (part.content.case === 'text') return 'text/plain';
  return part.content.case === 'data' ? 'application/json' : undefined;
}

/** One of `ranges` allows the part. A part of unknown type fits only where everything is allowed. */
export function acceptsPart(ranges: readonly string[], part: Part): boolean {
  const type = mediaTypeOf(part);
  return ranges.some((range) => acceptsMediaType(range, type ?? '*/*'));
}

function bare(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}
