import { randomUUID } from 'node:crypto';
import { create, fromJson, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import { type Artifact, ArtifactSchema, type Message, MessageSchema, type Part, PartSchema, Role } from '../gen/a2a_pb.js';

/** What every kind of part may carry beside its content. */
export interface PartExtras {
  readonly filename?: string;
  readonly mediaType?: string;
  readonly metadata?: JsonObject;
}

/** A part with text; `text/plain` unless `mediaType` says otherwise. */
export function textPart(text: string, extras: PartExtras = {}): Part {
  return create(PartSchema, { content: { case: 'text', value: text }, ...extras });
}

/** A part with a JSON value, null included. Numbers are IEEE doubles: carry larger integers as strings (A2A §3.2.5). */
export function dataPart(data: JsonValue, extras: PartExtras = {}): Part {
  return create(PartSchema, { content: { case: 'data', value: toValue(data) }, ...extras });
}

/** A part with the bytes of a file, inline; base64 in JSON. Say its `mediaType`. */
export function rawPart(bytes: Uint8Array, extras: PartExtras = {}): Part {
  return create(PartSchema, { content: { case: 'raw', value: bytes }, ...extras });
}

/** A part whose file stands behind a URL. Who receives it decides whether to fetch. */
export function urlPart(url: string, extras: PartExtras = {}): Part {
  return create(PartSchema, { content: { case: 'url', value: url }, ...extras });
}

/** The JSON in a data part; undefined for a part of another kind. */
export function partData(part: Part): JsonValue | undefined {
  return part.content.case === 'data' ? toJson(ValueSchema, part.content.value) : undefined;
}

/** The text parts of a message or artifact, joined by line breaks. */
export function textOf(holder: { readonly parts: readonly Part[] } | undefined): string {
  const texts = holder?.parts.flatMap((part) => (part.content.case === 'text' ? [part.content.value] : [])) ?? [];
  return texts.join('\n');
}

/** A string is one text part; everything else is as given. */
export function toParts(content: string | Part | readonly Part[]): Part[] {
  if (typeof content === 'string') return [textPart(content)];
  return Array.isArray(content) ? [...(content as readonly Part[])] : [content as Part];
}

/** Members of a message beside its parts. `messageId` defaults to a new one. */
export interface MessageExtras {
  readonly messageId?: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: string[];
  readonly referenceTaskIds?: string[];
}

/** A message from the agent; `messageId` is made when absent. */
export function agentMessage(content: string | Part | readonly Part[], extras: MessageExtras = {}): Message {
  return create(MessageSchema, { messageId: randomUUID(), role: Role.AGENT, parts: toParts(content), ...extras });
}

/** A message from a client; `messageId` is made when absent. */
export function userMessage(content: string | Part | readonly Part[], extras: MessageExtras = {}): Message {
  return create(MessageSchema, { messageId: randomUUID(), role: Role.USER, parts: toParts(content), ...extras });
}

/** Members of an artifact beside its parts. `artifactId` defaults to a new one; an update under a known id replaces that artifact. */
export interface ArtifactExtras {
  readonly artifactId?: string;
  readonly name?: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: string[];
}

/** An artifact; `artifactId` is made when absent. */
export function artifact(content: string | Part | readonly Part[], extras: ArtifactExtras = {}): Artifact {
  return create(ArtifactSchema, { artifactId: randomUUID(), parts: toParts(content), ...extras });
}

function toValue(data: JsonValue): Value {
  return fromJson(ValueSchema, data);
}
