import { type EncodedChange } from '../encoded-change.js';
import { type Statement } from './postgres.connection.js';

/** What became of a change. `repeated`: its message was accepted before. `stale`: another writer was first. */
export type CommitOutcome = 'accepted' | 'repeated' | 'stale';

/** A row of the answer. */
export interface CommitRow {
  readonly ord: number;
  readonly outcome: CommitOutcome;
}

/** A column of the changes on their way in. */
interface Column {
  readonly name: string;
  readonly type: 'int' | 'bigint' | 'text';
  readonly pick: (change: EncodedChange, ord: number) => string | number | null;
}

const BASE: readonly Column[] = [
  { name: 'ord', type: 'int', pick: (_, ord) => ord },
  { name: 'key', type: 'text', pick: ({ key }) => key },
  { name: 'expected', type: 'int', pick: ({ expectedVersion }) => expectedVersion },
  { name: 'version', type: 'int', pick: ({ version }) => version },
  { name: 'state', type: 'int', pick: ({ state }) => state },
  { name: 'status_at', type: 'bigint', pick: ({ statusAtMs }) => statusAtMs },
  { name: 'runner', type: 'text', pick: ({ runner }) => runner },
  { name: 'folded_at', type: 'int', pick: ({ snapshot, version }) => (snapshot === null ? 0 : version) },
];
const IDENTITY: readonly Column[] = [
  { name: 'agent', type: 'text', pick: ({ agent }) => agent },
  { name: 'tenant', type: 'text', pick: ({ tenant }) => tenant },
  { name: 'owner', type: 'text', pick: ({ owner }) => owner },
  { name: 'id', type: 'text', pick: ({ id }) => id },
];
const CREATION: readonly Column[] = [{ name: 'context_id', type: 'text', pick: ({ contextId }) => contextId }];
const RECEIPT: readonly Column[] = [
  { name: 'message_id', type: 'text', pick: ({ messageId }) => messageId },
  { name: 'digest', type: 'text', pick: ({ digest }) => digest },
];
const SNAPSHOT: readonly Column[] = [{ name: 'snapshot', type: 'text', pick: ({ snapshot }) => snapshot }];

/** What a group of changes has; a statement names only that, since each part costs the server something even when it is empty. */
interface Shape {
  readonly creates: boolean;
  readonly moves: boolean;
  readonly receipts: boolean;
  readonly snapshots: boolean;
  readonly memos: boolean;
}

const statements = new Map<string, Statement>();

/**
 * Commits changes of different tasks in one statement, hence one round trip and one wait for the disk. Each change is accepted whole or
 * leaves nothing; a refused one does not touch the others.
 */
export function commitStatement(changes: readonly EncodedChange[], receiptTtlMs: number): { statement: Statement; values: unknown[] } {
  const shape = shapeOf(changes);
  const name = `a2a_commit_${Object.values(shape).map(Number).join('')}`;
  const statement = statements.get(name) ?? { name, text: commitText(shape) };
  statements.set(name, statement);
  return { statement, values: commitValues(shape, changes, receiptTtlMs) };
}

function shapeOf(changes: readonly EncodedChange[]): Shape {
  return {
    creates: changes.some(({ expectedVersion }) => expectedVersion === 0),
    moves: changes.some(({ expectedVersion }) => expectedVersion > 0),
    receipts: changes.some(({ messageId }) => messageId !== null),
    snapshots: changes.some(({ snapshot }) => snapshot !== null),
    memos: changes.some(({ memos }) => memos.length > 0),
  };
}

function columnsOf({ creates, receipts, snapshots }: Shape): Column[] {
  return [
    ...BASE,
    ...(creates || receipts ? IDENTITY : []),
    ...(creates ? CREATION : []),
    ...(receipts ? RECEIPT : []),
    ...(snapshots ? SNAPSHOT : []),
  ];
}

function commitValues(shape: Shape, changes: readonly EncodedChange[], receiptTtlMs: number): unknown[] {
  const events = changes.flatMap((change, ord) =>
    change.events.map((payload, index) => ({ ord, version: change.expectedVersion + index + 1, payload })),
  );
  const memos = changes.flatMap((change, ord) => change.memos.map((memo) => ({ ord, ...memo })));
  return [
    ...columnsOf(shape).map(({ pick }) => changes.map(pick)),
    events.map(({ ord }) => ord),
    events.map(({ version }) => version),
    events.map(({ payload }) => payload),
    ...(shape.receipts ? [receiptTtlMs] : []),
    ...(shape.memos ? [memos.map(({ ord }) => ord), memos.map(({ step }) => step), memos.map(({ value }) => value)] : []),
  ];
}

function commitText(shape: Shape): string {
  const { creates, moves, receipts, snapshots, memos } = shape;
  const columns = columnsOf(shape);
  let place = 0;
  const parameter = (type: string): string => `$${++place}::${type}`;
  const input = columns.map(({ type }) => parameter(`${type}[]`)).join(', ');
  const events = [parameter('int[]'), parameter('int[]'), parameter('text[]')].join(', ');
  const ttl = receipts ? parameter('bigint') : '';
  const memo = memos ? [parameter('int[]'), parameter('text[]'), parameter('text[]')].join(', ') : '';
  const isNew = receipts ? 'NOT EXISTS (SELECT FROM repeated r WHERE r.ord = i.ord)' : 'true';

  const parts = [
    `input AS MATERIALIZED (SELECT * FROM unnest(${input}) AS i (${columns.map(({ name }) => name).join(', ')}))`,
    creates || receipts ? `moment AS MATERIALIZED (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)` : '',
    receipts ? repeatedPart(ttl) : '',
    moves ? movedPart(isNew) : '',
    creates ? createdPart(isNew) : '',
    `accepted AS MATERIALIZED (${acceptedPart(shape)})`,
    receipts ? receivedPart(ttl) : '',
    `logged AS (
  INSERT INTO a2a_event (task_no, version, payload)
  SELECT a.no, e.version, e.payload FROM unnest(${events}) AS e (ord, version, payload) JOIN accepted a USING (ord))`,
    memos
      ? `kept AS (
  INSERT INTO a2a_memo (task_no, step, value)
  SELECT a.no, k.step, k.value FROM unnest(${memo}) AS k (ord, step, value) JOIN accepted a USING (ord)
  ON CONFLICT (task_no, step) DO UPDATE SET value = EXCLUDED.value)`
      : '',
    snapshots
      ? `folded AS (
  INSERT INTO a2a_snapshot (task_no, version, payload)
  SELECT a.no, i.version, i.snapshot FROM accepted a JOIN input i USING (ord) WHERE i.snapshot IS NOT NULL
  ON CONFLICT (task_no) DO UPDATE SET version = EXCLUDED.version, payload = EXCLUDED.payload)`
      : '',
    creates
      ? `counted AS (
  INSERT INTO a2a_owner_tally AS c (agent, tenant, owner, tasks)
  SELECT agent, tenant, owner, count(*) FROM accepted a JOIN input i USING (ord) WHERE i.expected = 0
  GROUP BY agent, tenant, owner ORDER BY agent, tenant, owner
  ON CONFLICT (agent, tenant, owner) DO UPDATE SET tasks = c.tasks + EXCLUDED.tasks)`
      : '',
  ];
  return `WITH ${parts.filter((part) => part !== '').join(',\n')}
SELECT i.ord, CASE WHEN a.ord IS NOT NULL THEN 'accepted' ${receipts ? "WHEN r.ord IS NOT NULL THEN 'repeated'" : ''} ELSE 'stale' END AS outcome
FROM input i LEFT JOIN accepted a USING (ord) ${receipts ? 'LEFT JOIN repeated r USING (ord)' : ''}`;
}

function repeatedPart(ttl: string): string {
  return `repeated AS MATERIALIZED (
  SELECT i.ord FROM input i JOIN a2a_message m USING (agent, tenant, owner, message_id), moment WHERE m.received_at > moment.now - ${ttl})`;
}

/**
 * `held` locks the rows of growing tasks in order, so that two of these statements never wait for each other in a circle. A row that a rival
 * moved on while we waited is read anew, and drops out.
 */
function movedPart(isNew: string): string {
  return `held AS MATERIALIZED (
  SELECT i.ord, t.no FROM input i JOIN a2a_task t USING (key)
  WHERE i.expected > 0 AND t.version = i.expected AND ${isNew} ORDER BY t.no FOR UPDATE OF t),
moved AS (
  UPDATE a2a_task t SET state = i.state, version = i.version, status_at = i.status_at, runner = i.runner,
    snapshot_version = greatest(t.snapshot_version, i.folded_at)
  FROM held h JOIN input i USING (ord) WHERE t.no = h.no RETURNING h.ord, t.no)`;
}

/** A rival that makes the same task at this moment fails the whole statement by the unique key. It is sent again, and then sees the rival. */
function createdPart(isNew: string): string {
  return `created AS (
  INSERT INTO a2a_task (key, agent, tenant, owner, id, context_id, state, version, status_at, runner, snapshot_version, created_at)
  SELECT i.key, i.agent, i.tenant, i.owner, i.id, i.context_id, i.state, i.version, i.status_at, i.runner, i.folded_at, moment.now
  FROM input i, moment WHERE i.expected = 0 AND ${isNew} AND NOT EXISTS (SELECT FROM a2a_task t WHERE t.key = i.key)
  ORDER BY i.key RETURNING no, key)`;
}

function acceptedPart({ creates, moves }: Shape): string {
  const parts = [
    ...(moves ? ['SELECT ord, no FROM moved'] : []),
    ...(creates ? ['SELECT i.ord, c.no FROM created c JOIN input i USING (key)'] : []),
  ];
  return parts.join(' UNION ALL ');
}

/** As in `created`, a rival's receipt that could not be seen yet fails the whole statement: `digest` becomes null, which it must not be. */
function receivedPart(ttl: string): string {
  return `received AS (
  INSERT INTO a2a_message AS m (agent, tenant, owner, message_id, digest, task_id, reply, received_at)
  SELECT i.agent, i.tenant, i.owner, i.message_id, i.digest, i.id, NULL, moment.now
  FROM accepted a JOIN input i USING (ord), moment WHERE i.message_id IS NOT NULL
  ORDER BY i.agent, i.tenant, i.owner, i.message_id
  ON CONFLICT (agent, tenant, owner, message_id) DO UPDATE SET
    digest = CASE WHEN m.received_at <= EXCLUDED.received_at - ${ttl} THEN EXCLUDED.digest END,
    task_id = EXCLUDED.task_id, reply = NULL, received_at = EXCLUDED.received_at)`;
}
