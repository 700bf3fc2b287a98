import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type TurnStore } from '@a2a/a2a-core';
import { type Source } from './analysis/input/input-lines.js';

const KEY = 'last-input';
/** No input can be larger than a request body; this bounds what a damaged entry may unpack to. */
const MOST_BYTES = 8_388_608;
const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Keeps the last input of a conversation, compressed, for questions that bring no logs. */
export async function rememberInput(store: TurnStore, sources: readonly Source[]): Promise<void> {
  const packed = await pack(JSON.stringify(sources.map(({ name, text }) => ({ name, text }))));
  await store.set(KEY, { encoding: 'gzip', sources: packed.toString('base64') });
}

/** What `rememberInput` kept; nothing when this is the first question. */
export async function recallInput(store: TurnStore): Promise<readonly Source[]> {
  const kept = await store.get(KEY);
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept) || typeof kept['sources'] !== 'string') return [];
  const json = await unpack(Buffer.from(kept['sources'], 'base64'), { maxOutputLength: MOST_BYTES });
  return JSON.parse(json.toString('utf8')) as readonly Source[];
}
