import { type JsonValue } from '@bufbuild/protobuf';

/** What a signature says of itself, and is itself covered by the signature. */
export interface SignatureHeader {
  readonly alg: string;
  readonly kid: string;
  readonly jku?: string;
}

export interface CardSignature {
  readonly header: SignatureHeader;
  readonly jws: { readonly protected: string; readonly signature: string };
}

/** Members that would let a signature choose how it is verified: with a key of its own, or by rules of its own. */
const REFUSED_MEMBERS = ['jwk', 'x5u', 'x5c', 'crit', 'b64'];

/**
 * Reads one entry of `signatures`. Only the protected header counts; an `alg` outside it is as good as none.
 *
 * @throws {Error} for what cannot be read or must not be followed
 */
export function readSignature(entry: JsonValue): CardSignature {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw new Error('the signature is no object');
  const { protected: encoded, signature } = entry;
  if (typeof encoded !== 'string' || typeof signature !== 'string') throw new Error('the signature lacks protected or signature');
  return { header: readHeader(encoded), jws: { protected: encoded, signature } };
}

function readHeader(encoded: string): SignatureHeader {
  const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  if (typeof header !== 'object' || header === null) throw new Error('the protected header is no object');
  const refused = REFUSED_MEMBERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new Error(`the protected header has ${refused}`);
  const { alg, kid, jku } = header as Record<string, unknown>;
  if (typeof alg !== 'string' || typeof kid !== 'string') throw new Error('the protected header lacks alg or kid');
  return { alg, kid, jku: typeof jku === 'string' ? jku : undefined };
}
