const BASE64 = /^[A-Za-z0-9+/_-]*(={0,2})$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):/;
const LAST_HOUR = 23;

/**
 * The text is base64 in either alphabet, padded or not (ProtoJSON). The parser passes over white space, and over padding wherever it stands,
 * and so reads bytes out of what was never encoded.
 */
export function isBase64(text: string): boolean {
  const padding = BASE64.exec(text)?.[1]?.length;
  if (padding === undefined) return false;
  return padding === 0 ? text.length % 4 !== 1 : text.length % 4 === 0;
}

/** The day is one of its month and the hour one of its day. The parser counts on: it takes the 30th of February for the 2nd of March. */
export function isOnCalendar(timestamp: string): boolean {
  const [, year, month, day, hour] = TIME.exec(timestamp) ?? [];
  if (year === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCDate() === Number(day) && Number(hour) <= LAST_HOUR;
}
