import { randomUUID } from 'node:crypto';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { ANONYMOUS, type Principal } from '../call/principal.js';
import { type Message, type Task } from '../gen/a2a_pb.js';
import { Turn } from '../execution/turn.js';
import { type TurnLogger, type TurnStore } from '../execution/turn-context.js';
import { fetchPart } from '../outbound/fetch-part.js';
import { type OutboundHttp } from '../outbound/outbound-http.js';
import { userMessage } from '../protocol/messages.js';

/** What a test wants to say about a turn; the rest is made up. */
export interface TestTurnFacts {
  /** A string becomes a text message of the client. */
  readonly message?: string | Message;
  readonly task?: Task;
  readonly agentId?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly tenant?: string;
  readonly principal?: Principal;
  readonly secrets?: JsonValue;
  readonly requestMetadata?: JsonObject;
  readonly acceptedOutputModes?: readonly string[];
  readonly activatedExtensions?: readonly string[];
  readonly headers?: ReadonlyMap<string, string>;
  readonly referencedTasks?: readonly Task[];
  readonly resumeMetadata?: JsonObject;
  readonly signal?: AbortSignal;
  readonly contextStore?: TurnStore;
  readonly callerStore?: TurnStore;
  readonly memos?: Map<string, JsonValue>;
  /** Answers `fetchPart`. Default: none, as in a host without OutboundModule. */
  readonly http?: OutboundHttp;
  /** Answers `turn.requireSkill`. Default: every skill is allowed. */
  readonly requireSkill?: (skillId: string) => Promise<void>;
}

const SILENT: TurnLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** A turn for the specs of skills and executors: it makes real events and keeps its stores in memory. */
export function testTurn(facts: TestTurnFacts = {}): Turn {
  const { agentId = 'agent', tenant = '', taskId = randomUUID(), contextId = randomUUID(), principal = ANONYMOUS } = facts;
  const { memos = new Map<string, JsonValue>() } = facts;
  const message = typeof facts.message === 'object' ? facts.message : userMessage(facts.message ?? 'hello');
  const signal = facts.signal ?? new AbortController().signal;
  const ref = { scope: { agentId, tenant, owner: principal.owner }, taskId };
  return new Turn(
    { ref, contextId, request: { ...facts, principal, message }, task: facts.task },
    {
      signal,
      logger: SILENT,
      contextStore: facts.contextStore ?? memoryStore(),
      callerStore: facts.callerStore ?? memoryStore(),
      memo: async (step, make) => {
        const kept = memos.get(step);
        const result = kept ?? (await make());
        memos.set(step, result);
        return result as Awaited<ReturnType<typeof make>>;
      },
      referencedTasks: async () => [...(facts.referencedTasks ?? [])],
      fetchPart: (part, options) => fetchPart(facts.http, part, signal, options),
      requireSkill: facts.requireSkill ?? (async () => {}),
    },
  );
}

function memoryStore(): TurnStore {
  const values = new Map<string, JsonValue>();
  const update: TurnStore['update'] = async (key, change) => {
    const next = change(values.get(key));
    if (next === undefined) values.delete(key);
    else values.set(key, next);
    return next;
  };
  return { get: async (key) => values.get(key), update, set: async (key, value) => void (await update(key, () => value)) };
}
