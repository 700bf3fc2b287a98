/** What one pass over a JSON text tells of it, before it is parsed. Says nothing on whether the text is JSON at all. */
export interface JsonOutline {
  /** Members of the outermost object: their values as text, exactly as sent. */
  readonly members: ReadonlyMap<string, string>;
  /** Some member of the outermost object is given twice. */
  readonly repeated: boolean;
  /** Members of all objects together, each as often as it is given. */
  readonly memberCount: number;
  /** The text goes beyond a limit; the pass ended there. */
  readonly excess?: 'depth' | 'nodes';
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Looks for nesting bombs and floods of tiny values in linear time and without making an object for them, and keeps the text of the
 * outermost members: a parsed number has lost what a 64-bit id was.
 */
export function outlineJson(text: string, limits: { jsonDepth: number; jsonNodes: number }): JsonOutline {
  const outermost = new OutermostMembers(text);
  let depth = 0;
  let nodes = 0;
  let memberCount = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (depth === 1) outermost.string(at, end);
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (++depth > limits.jsonDepth) return outermost.outline(memberCount, 'depth');
        if (++nodes > limits.jsonNodes) return outermost.outline(memberCount, 'nodes');
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (--depth === 0) outermost.valueEnds(at);
        break;
      case COMMA:
        if (++nodes > limits.jsonNodes) return outermost.outline(memberCount, 'nodes');
        if (depth === 1) outermost.valueEnds(at);
        break;
      case COLON:
        memberCount++;
        if (depth === 1) outermost.valueBegins(at + 1);
    }
  }
  return outermost.outline(memberCount);
}

/** Collects key and value of each member of the outermost object as the pass goes by. */
class OutermostMembers {
  readonly #members = new Map<string, string>();
  #repeated = false;
  #key?: string;
  #valueStart = -1;

  constructor(private readonly text: string) {}

  string(start: number, end: number): void {
    if (this.#valueStart === -1) this.#key = this.text.slice(start, end + 1);
  }

  valueBegins(at: number): void {
    this.#valueStart = at;
  }

  valueEnds(at: number): void {
    if (this.#key !== undefined && this.#valueStart !== -1) {
      const key = decodeKey(this.#key);
      this.#repeated ||= this.#members.has(key);
      this.#members.set(key, this.text.slice(this.#valueStart, at).trim());
    }
    this.#key = undefined;
    this.#valueStart = -1;
  }

  outline(memberCount: number, excess?: 'depth' | 'nodes'): JsonOutline {
    return { members: this.#members, repeated: this.#repeated, memberCount, excess };
  }
}

/** Index of the closing quote; the end of the text when there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** What a key means, quotes and escapes taken off; the key itself when it cannot be read. */
export function decodeKey(key: string): string {
  if (!key.includes('\\')) return key.slice(1, -1);
  try {
    return JSON.parse(key) as string;
  } catch {
    return key;
  }
}
