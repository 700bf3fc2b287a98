/** Whether the database answers, for a readiness probe. */
export abstract class StoreHealth {
  /** @throws {UnavailableError} when it does not */
  abstract ping(): Promise<void>;
}
