const REMEMBERED = 100_000;

/** `busy`: the same delivery is being handled right now. */
export type InboxPlace = 'new' | 'done' | 'busy';

/**
 * Remembers deliveries, so that each update is handed over once although it may arrive more often (A2A §4.3.3).
 *
 * Several processes that receive together need one that they share, such as a table with the id as its key.
 */
export abstract class WebhookInbox {
  /** Asks for the right to handle a delivery. Who gets `new` calls `finish` or `giveBack`. */
  abstract begin(deliveryId: string): Promise<InboxPlace>;

  abstract finish(deliveryId: string): Promise<void>;

  /** It was not handled: the next attempt is `new` again. */
  abstract giveBack(deliveryId: string): Promise<void>;
}

/** Remembers the last hundred thousand deliveries of this process. */
export class InMemoryWebhookInbox extends WebhookInbox {
  readonly #places = new Map<string, 'done' | 'busy'>();

  async begin(deliveryId: string): Promise<InboxPlace> {
    const place = this.#places.get(deliveryId);
    if (place) return place;
    this.#places.set(deliveryId, 'busy');
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= REMEMBERED) break;
      this.#places.delete(oldest);
    }
    return 'new';
  }

  async finish(deliveryId: string): Promise<void> {
    this.#places.set(deliveryId, 'done');
  }

  async giveBack(deliveryId: string): Promise<void> {
    this.#places.delete(deliveryId);
  }
}
