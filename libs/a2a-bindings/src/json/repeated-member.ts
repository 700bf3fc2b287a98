import { type JsonValue } from '@bufbuild/protobuf';
import { step } from './find-in-json.js';
import { decodeKey, endOfString } from './json-outline.js';

/**
 * Path of the first member that its object has already, such as `message.parts[0].text`; undefined when there is none.
 *
 * The parser keeps the last of such members, while whoever looked at the text before us may have gone by the first. It keeps one member
 * where the text has two, so most texts are cleared by counting.
 *
 * @param text the JSON that `value` was parsed from
 * @param memberCount of `text`, as its outline tells
 */
export function findRepeatedMember(text: string, value: JsonValue, memberCount: number): string | undefined {
  return countMembers(value) === memberCount ? undefined : searchText(text);
}

function countMembers(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const name in value) count += 1 + countMembers(value[name] as JsonValue);
  return count;
}

/** An object or a list that the search is in, and where in it. */
interface Level {
  readonly path: string;
  /** Keys of an object so far; undefined for a list. */
  readonly keys?: Set<string>;
  /** Key or index of the value that is being read. */
  at: string | number;
  /** The next string is a key. */
  awaitsKey: boolean;
}

/** @param text valid JSON */
function searchText(text: string): string | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        if (level?.awaitsKey) {
          level.at = decodeKey(text.slice(at, end + 1));
          level.awaitsKey = false;
          if (level.keys?.has(level.at)) return pathOf(level);
          level.keys?.add(level.at);
        }
        at = end;
        break;
      }
      case '{':
        levels.push({ path: level ? pathOf(level) : '', keys: new Set(), at: '', awaitsKey: true });
        break;
      case '[':
        levels.push({ path: level ? pathOf(level) : '', at: 0, awaitsKey: false });
        break;
      case ',':
        if (typeof level?.at === 'number') level.at++;
        else if (level) level.awaitsKey = true;
        break;
      case '}':
      case ']':
        levels.pop();
    }
  }
  return undefined;
}

function pathOf({ path, at }: Level): string {
  return step(path, String(at), typeof at === 'number');
}
