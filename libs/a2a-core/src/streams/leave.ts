/** Lets go of a source that nobody reads any more. What it fails with by that interests nobody. */
export function leave(source: AsyncIterator<unknown>): void {
  void Promise.resolve(source.return?.()).catch(() => undefined);
}
