import { dataPart, rawPart, textPart, urlPart } from '@a2a/a2a-core';
import { type Behaviour } from './behaviour.js';
import { makes, streams, worksAndMakes } from './behaviours/artifacts.js';
import { answers, completes, fails, rejects } from './behaviours/endings.js';
import { asks, waitsForAuthorization } from './behaviours/questions.js';
import { worksFor, worksUntilCanceled } from './behaviours/waits.js';

const OUTPUT = { filename: 'output.txt', mediaType: 'text/plain' };
const streamsAText = worksAndMakes('Streamed text content');
const streamsChunks = streams({ chunks: 3, characters: 8, everyMs: 0 });

/** What the official Technology Compatibility Kit asks for with the first letters of a `messageId`. */
const BY_PREFIX: Readonly<Record<string, Behaviour>> = {
  'tck-complete-task': completes('Hello from TCK'),
  'tck-delayed-complete': worksFor(2_000, 'Done after delay'),
  'tck-input-required': asks('What else should I know?'),
  'tck-auth-required': waitsForAuthorization,
  'tck-reject-task': rejects('Rejected as asked'),
  'tck-task-failure': fails('Failed as asked'),
  'tck-artifact-text': makes(textPart('Generated text content')),
  'tck-artifact-file-url': makes(urlPart('https://example.com/output.txt', OUTPUT)),
  'tck-artifact-file': makes(rawPart(Buffer.from('Generated file content\n'), OUTPUT)),
  'tck-artifact-data': makes(dataPart({ key: 'value', count: 42 })),
  'tck-message-response': answers('Direct message response'),
  'tck-stream-001': streamsAText,
  'tck-stream-002': completes('Done'),
  'tck-stream-003': streamsAText,
  'tck-stream-ordering-001': streamsAText,
  'tck-stream-basic': streamsAText,
  'tck-stream-artifact-chunked': streamsChunks,
  'tck-stream-chunked': streamsChunks,
  'tck-cancel': worksUntilCanceled,
  'tck-long-running': worksUntilCanceled,
  'test-resubscribe-message-id': worksFor(4_000),
};

const LONGEST_FIRST = Object.entries(BY_PREFIX).toSorted(([a], [b]) => b.length - a.length);

/** Undefined for an id of nobody in particular. */
export function findKitBehaviour(messageId: string): Behaviour | undefined {
  return LONGEST_FIRST.find(([prefix]) => messageId.startsWith(prefix))?.[1];
}
