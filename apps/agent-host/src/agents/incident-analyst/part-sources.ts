import { type Message, type Part, partData } from '@a2a/a2a-core';
import { type Source } from './analysis/input/input-lines.js';

/** The parts of messages as sources of an analysis, and what could not be used. */
export interface PartSources {
  readonly sources: readonly Source[];
  /** Sentences for the caller. */
  readonly refused: readonly string[];
}

/** Members of a data part whose elements are shown one a line. */
const LISTS = ['items', 'events', 'logs', 'records', 'entries', 'lines'];
const NOT_TEXT = /^(?:image|audio|video|font)\/|pdf|zip|gzip|x-tar|officedocument|msword/i;
/** A file with more NULs than this share of its beginning is no text. */
const MOST_NULS = 0.1;
const LOOKED_AT = 4_096;

/** @param label says which message the parts came with, such as `earlier message` */
export function sourcesOf(messages: readonly Message[], label = ''): PartSources {
  const sources: Source[] = [];
  const refused: string[] = [];
  for (const part of messages.flatMap(({ parts }) => parts)) {
    const read = readPart(part);
    if (typeof read === 'string') refused.push(read);
    else if (read.text.trim() !== '') sources.push(label ? { ...read, name: `${read.name} (${label})` } : read);
  }
  return { sources, refused };
}

/** @returns the source, or why there is none */
function readPart(part: Part): Source | string {
  const { content, filename, mediaType } = part;
  switch (content.case) {
    case 'text':
      return { name: filename || 'text', text: content.value };
    case 'raw':
      return readFile(content.value, filename || 'file', mediaType);
    case 'data':
      return { name: filename || 'data, one record a line', text: linesOf(partData(part)).join('\n') };
    case 'url':
      return `I do not fetch URLs, so "${(filename || content.value).slice(0, 200)}" was not read; send its content as text or as an inline file (raw).`;
    case undefined:
      return 'A part without content was left out.';
  }
}

function readFile(bytes: Uint8Array, name: string, mediaType: string): Source | string {
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (gzip || NOT_TEXT.test(mediaType)) return `The file "${name}" is ${gzip ? 'compressed' : mediaType}; send it as plain text.`;
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  const head = bytes.subarray(0, LOOKED_AT);
  if (encoding === 'utf-8' && head.filter((byte) => byte === 0).length > head.length * MOST_NULS) {
    return `The file "${name}" is not text; send the log as plain text.`;
  }
  return { name, text: new TextDecoder(encoding).decode(bytes) };
}

/** A value as lines, so that line n is record n of a list. */
function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  if (typeof value === 'object' && value !== null) {
    const list = LISTS.map((name) => (value as Record<string, unknown>)[name]).find((member) => Array.isArray(member));
    if (list) return linesOf(list);
  }
  return [JSON.stringify(value ?? null)];
}
