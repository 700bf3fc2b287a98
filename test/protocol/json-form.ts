import { create, type DescMessage, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { InvalidParamsError, messageFromJson, messageToJson } from '@a2a/a2a-core';

/** Golden cases of the JSON form: App. D.4 of the requirements, and section 2 of them. */
export function roundTrip<Desc extends DescMessage>(schema: Desc, json: JsonValue): JsonValue {
  return messageToJson(schema, messageFromJson(schema, json));
}

export function write<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): JsonValue {
  return messageToJson(schema, create(schema, init));
}

export function refusal(schema: DescMessage, json: JsonValue): InvalidParamsError {
  try {
    messageFromJson(schema, json);
  } catch (error) {
    if (error instanceof InvalidParamsError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(json)} was accepted as ${schema.name}`);
}

export function refusedField(schema: DescMessage, json: JsonValue): string | undefined {
  return refusal(schema, json).details.fieldViolations?.[0]?.field;
}
