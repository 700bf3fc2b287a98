import { stripVTControlCharacters } from 'node:util';

/** Control characters other than the tab, and halves of surrogate pairs. */
const UNPRINTABLE = /[^\P{Cc}\t]|\p{Cs}/u;
const UNPRINTABLES = /(?:[^\P{Cc}\t]|\p{Cs})+/gu;

/** Text that every wire and store can carry: without terminal colours, NULs, other control characters and broken surrogates. */
export function printable(text: string): string {
  return UNPRINTABLE.test(text) ? stripVTControlCharacters(text).replace(UNPRINTABLES, ' ') : text;
}

/** The beginning of a text, never cut within a character. */
export function beginning(text: string, length: number): string {
  return text.length > length ? printable(text.slice(0, length)) : text;
}
