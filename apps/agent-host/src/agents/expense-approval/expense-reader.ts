import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { type Message, partData, textOf } from '@a2a/a2a-core';
import { type ExpenseDraft, type Field } from './expense.js';
import { understand } from './expense-fields.js';
import { readProse } from './expense-prose.js';

/**
 * All that a message says of an expense: prose in its text parts, fields in its data parts, and the name of a file as the receipt. Data is
 * exact, so it wins over prose.
 *
 * @param asked fields that were asked for last
 */
export function readMessage(message: Message, asked: readonly Field[]): ExpenseDraft {
  const data = message.parts.map(partData).filter(isObject);
  const file = message.parts.find(({ content }) => content.case === 'raw' || content.case === 'url');
  const receipt = understand({ receipt: file?.filename });
  return Object.assign({}, receipt, readProse(textOf(message), asked), ...data.map(understand)) as ExpenseDraft;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
