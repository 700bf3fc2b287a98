import { type JsonValue } from '@bufbuild/protobuf';
import { type ExtensionDeclaration } from '../agents/agent.decorator.js';
import { type Message } from '../gen/a2a_pb.js';

/** URI of the extension, and the reserved member of a message's `metadata`. */
export const SECRETS_URI = 'urn:a2a-nest:extension:secrets:v1';

/** What the history has in the place of a secret. */
export const WITHHELD = 'withheld';

/**
 * Data-only extension: what a message carries in its `metadata` under the URI reaches the agent, as `turn.secrets`, and is kept nowhere:
 * not in the task, its log, its history or any receipt.
 *
 * For agents that cannot get what they need out of band, which A2A §7.6 prefers. The member is reserved at every agent; put the extension
 * into an agent's `extensions` to tell clients that it makes use of it.
 */
export const SECRETS_EXTENSION: ExtensionDeclaration = {
  uri: SECRETS_URI,
  description: 'Secrets in a message’s metadata reach the agent for one turn and are kept nowhere.',
};

/** The message as it may be kept, and what was taken out of it. */
export function withholdSecrets(message: Message): { readonly message: Message; readonly secrets?: JsonValue } {
  const { metadata } = message;
  if (metadata === undefined || !Object.hasOwn(metadata, SECRETS_URI)) return { message };
  return { message: { ...message, metadata: { ...metadata, [SECRETS_URI]: WITHHELD } }, secrets: metadata[SECRETS_URI] };
}
