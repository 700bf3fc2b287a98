/** Half of a character beyond U+FFFF, without its other half: no UTF-8 can hold it, so neither can protobuf nor a database. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const TRAILING_HALF = /[\ud800-\udbff]$/;

/** The text with U+FFFD for each lone surrogate. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/** Splits off the first half of a character at the end of a text whose next piece is still to come. */
export function splitTrailingHalf(text: string): [text: string, half: string] {
  return TRAILING_HALF.test(text) ? [text.slice(0, -1), text.slice(-1)] : [text, ''];
}

/** As `wellFormed` for every text and key within a message, in place. */
export function makeWellFormed<T extends object>(holder: T): T {
  const members = holder as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'string') members[name] = wellFormed(value);
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) makeWellFormed(value);
    const fitting = wellFormed(name);
    if (fitting === name) continue;
    members[fitting] = members[name];
    delete members[name];
  }
  return holder;
}
