import { applyDecorators, Controller, type ExceptionFilter, type Type, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { callGuard } from './call.guard.js';
import { type CallReader } from './call-reader.js';

/** What makes a controller a binding. */
export interface BindingParts {
  /** Reads a call's headers or metadata, for the guard. */
  readonly reader: Type<CallReader>;
  /** Writes every error in the wire's own shape. */
  readonly filter: Type<ExceptionFilter>;
  /** Route prefixes, for wires that have routes. */
  readonly paths?: readonly string[];
}

/** Makes a controller the entry of a wire. Guard and error shape come with it: a binding without them cannot be expressed. */
export function A2aBinding({ reader, filter, paths = [''] }: BindingParts): ClassDecorator {
  return applyDecorators(Controller({ path: [...paths], version: VERSION_NEUTRAL }), UseGuards(callGuard(reader)), UseFilters(filter));
}
