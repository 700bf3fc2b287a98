import { type TaskState } from '../gen/a2a_pb.js';
import { TaskOrder } from './in-memory-task.order.js';
import { type MessageReceipt, type TaskHead, type TaskPage, type TaskQuery } from './task-repository.js';

/** One task as it is kept: everything encoded, so nothing is shared with those who gave or will get it. */
export interface ShelvedTask {
  head: TaskHead;
  runner: string | undefined;
  /** ProtoJSON of event n at index n − 1. */
  readonly events: string[];
  readonly memos: Map<string, string>;
  snapshot?: { readonly version: number; readonly json: string };
}

/** What is remembered of a message: its task, or the direct answer. */
export interface ShelvedReceipt extends MessageReceipt {
  readonly taskId?: string;
  readonly replyJson?: string;
  readonly receivedAtMs: number;
}

/** All that one scope owns, with an order for each way `list` can be asked. */
export class TaskShelf {
  readonly tasks = new Map<string, ShelvedTask>();
  readonly #all = new TaskOrder();
  readonly #byContext = new Map<string, TaskOrder>();
  readonly #byState = new Map<TaskState, TaskOrder>();
  /** Oldest first. */
  readonly #receipts = new Map<string, ShelvedReceipt>();

  add(task: ShelvedTask): void {
    this.tasks.set(task.head.taskId, task);
    for (const order of this.#ordersOf(task.head)) order.add(task);
  }

  /** Replaces the row. Costs nothing more unless the status changed. */
  replaceHead(task: ShelvedTask, head: TaskHead): void {
    const before = task.head;
    const moves = before.statusAtMs !== head.statusAtMs || before.state !== head.state;
    if (moves) for (const order of this.#ordersOf(before)) order.remove(task);
    task.head = head;
    if (moves) for (const order of this.#ordersOf(head)) order.add(task);
  }

  remove(task: ShelvedTask): void {
    const { taskId, contextId, state } = task.head;
    this.tasks.delete(taskId);
    for (const order of this.#ordersOf(task.head)) order.remove(task);
    if (this.#byContext.get(contextId)?.size === 0) this.#byContext.delete(contextId);
    if (this.#byState.get(state)?.size === 0) this.#byState.delete(state);
  }

  /** There is neither a task nor a receipt. */
  get isEmpty(): boolean {
    return this.tasks.size === 0 && this.#receipts.size === 0;
  }

  page(query: TaskQuery): TaskPage {
    const { statusAtOrAfterMs: fromMs, state, after, limit } = query;
    const heads: TaskHead[] = [];
    let hasMore = false;
    for (const head of this.#orderFor(query)?.behind(after) ?? []) {
      if (fromMs !== undefined && head.statusAtMs < fromMs) break;
      if (state !== undefined && head.state !== state) continue;
      hasMore = heads.length === limit;
      if (hasMore) break;
      heads.push({ ...head });
    }
    return { heads, hasMore, total: this.#count(query) };
  }

  /** The receipt of a message that arrived after `sinceMs`. Those from before are dropped on the way. */
  findReceipt(messageId: string, sinceMs: number): ShelvedReceipt | undefined {
    for (const [id, { receivedAtMs }] of this.#receipts) {
      if (receivedAtMs > sinceMs) break;
      this.#receipts.delete(id);
    }
    return this.#receipts.get(messageId);
  }

  keepReceipt(receipt: ShelvedReceipt): void {
    this.#receipts.set(receipt.messageId, receipt);
  }

  /** At most `limit`; of these messages only when there are some. @returns how many */
  deleteReceipts(limit: number, messageIds: Iterable<string> = this.#receipts.keys()): number {
    let deleted = 0;
    for (const messageId of messageIds) {
      if (deleted >= limit) break;
      deleted += Number(this.#receipts.delete(messageId));
    }
    return deleted;
  }

  /** Free, but for a context and a state together: there the context is counted through. */
  #count(query: TaskQuery): number {
    const { contextId, state, statusAtOrAfterMs: fromMs } = query;
    const order = this.#orderFor(query);
    if (!order) return 0;
    if (contextId === undefined || state === undefined) return fromMs === undefined ? order.size : order.countFrom(fromMs);
    let count = 0;
    for (const head of order.behind()) if (head.state === state && head.statusAtMs >= (fromMs ?? -Infinity)) count++;
    return count;
  }

  /** An order that holds every match. */
  #orderFor({ contextId, state }: TaskQuery): TaskOrder | undefined {
    if (contextId !== undefined) return this.#byContext.get(contextId);
    return state === undefined ? this.#all : this.#byState.get(state);
  }

  #ordersOf({ contextId, state }: TaskHead): TaskOrder[] {
    return [this.#all, orderAt(this.#byContext, contextId), orderAt(this.#byState, state)];
  }
}

function orderAt<Key>(orders: Map<Key, TaskOrder>, key: Key): TaskOrder {
  const order = orders.get(key) ?? new TaskOrder();
  orders.set(key, order);
  return order;
}
