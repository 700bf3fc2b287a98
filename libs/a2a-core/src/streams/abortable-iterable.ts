/**
 * An async iterable that ends at once when its reader leaves.
 *
 * A plain async generator learns of `return()` only at its next `yield`; here `return()`, and `signal`, abort the signal the generator
 * waits on. Ending is quiet: the reader sees the end, not an error.
 */
export function abortableIterable<T>(make: (signal: AbortSignal) => AsyncGenerator<T>, signal: AbortSignal): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const controller = new AbortController();
      const generator = make(AbortSignal.any([signal, controller.signal]));
      return {
        next: () => generator.next(),
        return: async () => {
          controller.abort();
          await generator.return(undefined);
          return { done: true, value: undefined };
        },
      };
    },
  };
}
