import { SetMetadata } from '@nestjs/common';
import { type CallContext } from '../call/call-context.js';
import { type ExtensionDeclaration } from './agent.decorator.js';

/** What a caller may learn beyond the public card; members given replace the public ones, extensions are added. */
export interface ExtendedCardDetails {
  readonly description?: string;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly extensions?: readonly ExtensionDeclaration[];
}

/** A method of an `@Agent` class that fills in the extended card for one caller. */
export type ExtendedCardMethod = (call: CallContext) => ExtendedCardDetails | Promise<ExtendedCardDetails>;

/** Metadata key of `@ExtendedCard()` methods. */
export const EXTENDED_CARD = 'a2a:extended-card';

/**
 * Marks the method of an `@Agent` class that says what an authenticated caller may learn beyond the public card (A2A §3.1.11, §13.3).
 *
 * It gets the call, whose `principal` is authenticated. Skills need no method: those with `visibility: 'extended'` are shown to callers
 * who may use them.
 */
export const ExtendedCard = (): MethodDecorator => SetMetadata(EXTENDED_CARD, true);
