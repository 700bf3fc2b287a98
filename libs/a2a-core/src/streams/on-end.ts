/** The same items; `end` is called once, however the reading ends: at the last item, by an error, or because the reader leaves. */
export function onEnd<T>(items: AsyncIterable<T>, end: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const iterator = items[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const result = await iterator.next();
            if (result.done) end();
            return result;
          } catch (error) {
            end();
            throw error;
          }
        },
        return: async () => {
          end();
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
