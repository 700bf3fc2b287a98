import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { WireType } from './wire.reader.js';

/** What a field holds, as far as the scanner has to look at it. */
type FieldContent =
  | { readonly kind: 'message'; readonly message: DescMessage }
  | { readonly kind: 'map'; readonly message: DescMessage }
  | { readonly kind: 'enum'; readonly enum: DescEnum }
  | { readonly kind: 'text' | 'double' | 'seconds' | 'nanos' | 'plain' };

/** What the scanner needs to know of one field. */
export type FieldPlan = FieldContent & {
  /** Name in JSON, for error messages. */
  readonly name: string;
  /** False inside google.protobuf types, whose fields JSON does not show. */
  readonly named: boolean;
  readonly wireType: number;
  readonly repeated: boolean;
  /** The same for all members of one oneof; 0 outside of a oneof. */
  readonly oneofBit: number;
  /** Levels of nesting that this field adds in JSON. */
  readonly levels: number;
};

/** What the scanner needs to know of one message type. */
export interface MessagePlan {
  readonly fields: ReadonlyMap<number, FieldPlan>;
  /** A google.protobuf.Value: it is what it holds, not a node of its own, and it must hold something. */
  readonly isValue: boolean;
}

const PLANS = new WeakMap<DescMessage, MessagePlan>();

/** The plan of a message type, made on first use. */
export function planOf(schema: DescMessage): MessagePlan {
  let plan = PLANS.get(schema);
  if (!plan) PLANS.set(schema, (plan = makePlan(schema)));
  return plan;
}

function makePlan(schema: DescMessage): MessagePlan {
  return {
    fields: new Map(schema.fields.map((field) => [field.number, planField(schema, field)])),
    isValue: schema.typeName === 'google.protobuf.Value',
  };
}

function planField(schema: DescMessage, field: DescField): FieldPlan {
  return {
    name: field.jsonName,
    named: !schema.typeName.startsWith('google.protobuf.'),
    repeated: field.fieldKind === 'list',
    oneofBit: field.oneof ? 1 << schema.oneofs.indexOf(field.oneof) : 0,
    levels: levelsOf(schema, field),
    ...contentOf(schema, field),
  };
}

function contentOf(schema: DescMessage, field: DescField): FieldContent & { readonly wireType: number } {
  if (schema.typeName === 'google.protobuf.Timestamp') {
    return { kind: field.name === 'seconds' ? 'seconds' : 'nanos', wireType: WireType.varint };
  }
  if (field.fieldKind === 'map') {
    if (!field.message || field.mapKey !== ScalarType.STRING) throw unreadable(field);
    return { kind: 'map', message: field.message, wireType: WireType.bytes };
  }
  if (field.message) return { kind: 'message', message: field.message, wireType: WireType.bytes };
  if (field.scalar === ScalarType.STRING) return { kind: 'text', wireType: WireType.bytes };
  if (field.scalar === ScalarType.BYTES) return { kind: 'plain', wireType: WireType.bytes };
  // Repeated numbers may be packed. No request has any, so nothing here knows how to read them.
  if (field.fieldKind === 'list') throw unreadable(field);
  if (field.enum) return { kind: 'enum', enum: field.enum, wireType: WireType.varint };
  if (field.scalar === ScalarType.DOUBLE) return { kind: 'double', wireType: WireType.fixed64 };
  if (field.scalar === ScalarType.BOOL || field.scalar === ScalarType.INT32) return { kind: 'plain', wireType: WireType.varint };
  throw unreadable(field);
}

/** An object and an array are a level each; a google.protobuf.Value is what it holds. */
function levelsOf(schema: DescMessage, field: DescField): number {
  if (!field.message) return 0;
  const own = field.message.typeName === 'google.protobuf.Value' ? 0 : 1;
  const array = field.fieldKind === 'list' && schema.typeName !== 'google.protobuf.ListValue' ? 1 : 0;
  return own + array;
}

function unreadable(field: DescField): Error {
  return new Error(`The request scanner cannot read ${field.toString()}: teach it in message.plan.ts`);
}
