import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type JsonValue } from '@bufbuild/protobuf';
import { type TurnContext } from '../execution/turn-context.js';
import { partData } from '../protocol/messages.js';

/**
 * Parameters of a skill's `execute`, for those that want one thing of the turn and Nest's pipes on it:
 *
 * `execute(@MessageData(new ParseExpensePipe()) expense: Expense, @CurrentTurn() turn: TurnContext)`
 *
 * Where one parameter has such a decorator, all of them need one. Without any, `execute` gets the turn.
 */
export const CurrentTurn = createParamDecorator((_: unknown, context: ExecutionContext): TurnContext => turnOf(context));

/** Text parts of the message, joined by line breaks. */
export const MessageText = createParamDecorator((_: unknown, context: ExecutionContext): string => turnOf(context).text);

/** JSON of the first data part; undefined when the message has none. */
export const MessageData = createParamDecorator((_: unknown, context: ExecutionContext): JsonValue | undefined => {
  const part = turnOf(context).message.parts.find(({ content }) => content.case === 'data');
  return part && partData(part);
});

function turnOf(context: ExecutionContext): TurnContext {
  return context.getArgByIndex<TurnContext>(0);
}
