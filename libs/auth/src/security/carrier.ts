import { type AuthRequest, carrierKey, type Place } from './auth-request.js';

/** A place credentials stand in. */
export type Carrier =
  | { readonly in: Place; readonly name: string }
  /** `Authorization`, when it begins with this word (RFC 9110 §11.1); in any case. */
  | { readonly in: 'authorization'; readonly scheme: string }
  | { readonly in: 'certificate' };

/** The value in a carrier; undefined when there is none. Where a wire has no parameters, metadata of the same name stands in for them. */
export function valueIn(carrier: Carrier, request: AuthRequest): string | undefined {
  switch (carrier.in) {
    case 'header':
      return request.headers[carrier.name.toLowerCase()];
    case 'query':
      return request.hasParameters ? request.query[carrier.name] : request.headers[carrier.name.toLowerCase()];
    case 'cookie':
      return request.cookies[carrier.name];
    case 'authorization':
      return authorizationFor(carrier.scheme, request);
    case 'certificate':
      return request.certificate?.thumbprint;
  }
}

/** Both mean the same place of a call. */
export function isSameCarrier(one: Carrier, other: Carrier): boolean {
  return carrierId(one) === carrierId(other);
}

/** The carrier came more than once: which value counts is anybody's guess, so the call is refused. */
export function isRepeated(carrier: Carrier, request: AuthRequest): boolean {
  switch (carrier.in) {
    case 'header':
    case 'cookie':
      return request.repeated.has(carrierKey(carrier.in, carrier.name));
    case 'query':
      return request.repeated.has(carrierKey(request.hasParameters ? 'query' : 'header', carrier.name));
    case 'authorization':
      return request.repeated.has(carrierKey('header', 'authorization'));
    case 'certificate':
      return false;
  }
}

/** Headers that executors never see because this carrier fills them. */
export function headersOf(carrier: Carrier): readonly string[] {
  switch (carrier.in) {
    case 'header':
    case 'query':
      return [carrier.name.toLowerCase()];
    case 'cookie':
      return ['cookie'];
    case 'authorization':
      return ['authorization'];
    case 'certificate':
      return [];
  }
}

function carrierId(carrier: Carrier): string {
  switch (carrier.in) {
    case 'authorization':
      return `authorization:${carrier.scheme.toLowerCase()}`;
    case 'certificate':
      return 'certificate';
    default:
      return carrierKey(carrier.in, carrier.name);
  }
}

function authorizationFor(scheme: string, request: AuthRequest): string | undefined {
  const value = request.headers['authorization'];
  const space = value?.indexOf(' ') ?? -1;
  const word = space < 0 ? value : value?.slice(0, space);
  return word?.toLowerCase() === scheme.toLowerCase() ? (space < 0 ? '' : value?.slice(space + 1).trim()) : undefined;
}
