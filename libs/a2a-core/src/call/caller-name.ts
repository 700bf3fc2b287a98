import { addressPrefix } from './address-prefix.js';
import { type Principal } from './principal.js';

/**
 * Whom limits count as one caller: the owner whose credentials held, or else everybody behind one address. A name that a caller can make
 * up, such as that of an anonymous session, would let it have as many limits as it likes.
 */
export function callerName({ authenticated, owner }: Principal, remoteAddress?: string): string {
  return authenticated ? `owner ${owner}` : `address ${addressPrefix(remoteAddress)}`;
}
