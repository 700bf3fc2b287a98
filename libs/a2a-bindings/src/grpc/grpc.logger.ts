import { setLogger } from '@grpc/grpc-js';
import { type A2aLogger } from '@a2a/a2a-core';

/** grpc-js prints metadata that it cannot read, credentials among them. */
const METADATA_VALUE = /(Failed to add metadata entry [^:]*: ).*/s;

/** Sends what grpc-js would print on the console to the host's log, without the values of metadata. Holds for the whole process. */
export function logGrpcThrough(logger: A2aLogger): void {
  const format = (words: unknown[]) => ({ text: words.map(String).join(' ').replace(METADATA_VALUE, '$1(withheld)') });
  setLogger({
    error: (...words: unknown[]) => logger.warn('grpc-js', format(words)),
    info: (...words: unknown[]) => logger.info('grpc-js', format(words)),
    debug: (...words: unknown[]) => logger.debug('grpc-js', format(words)),
  });
}
