import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

const SCHEMA: unknown = JSON.parse(readFileSync(join(process.cwd(), 'libs/a2a-core/a2a.schema.json'), 'utf8'));

/** Our own schema with every message closed: what the platform writes must hold no member of another version, and no null. */
const strict = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } });
strict.addSchema(closed(SCHEMA) as object);

/** What keeps `json` from being this message as A2A 1.0 writes it; empty when nothing does. */
export function faultsOf(message: string, json: unknown): string[] {
  const validate = strict.getSchema(`a2a.schema.json#/$defs/${message}`);
  if (!validate) throw new Error(`The schema has no ${message}`);
  return validate(json) ? [] : (validate.errors ?? []).map(({ instancePath, message: fault }) => `${instancePath} ${fault}`);
}

function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const members = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in members && members.type === 'object' ? { ...members, additionalProperties: false } : members;
}
