import { type IncomingMessage } from 'node:http';

const REPEATED_SLASHES = /\/{2,}/g;

/** `//tasks` is `/tasks`: what a client makes of a base URL that ends in a slash. */
export function singleSlashes(path: string): string {
  return path.includes('//') ? path.replace(REPEATED_SLASHES, '/') : path;
}

/** Parsers look at the bodies of such requests. */
export function mayHaveBody({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
