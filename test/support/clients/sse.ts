/** One frame of an event stream. Comments are frames too, so that a test can see them. */
export interface SseFrame {
  readonly data?: string;
  readonly id?: string;
  readonly event?: string;
  readonly comment?: string;
}

/** Reads `text/event-stream` as WHATWG describes it. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame> {
  let pending = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    pending += decoder.decode(chunk, { stream: true });
    const blocks = pending.split(/\r\n\r\n|\n\n|\r\r/);
    pending = blocks.pop() ?? '';
    for (const block of blocks) yield parseFrame(block);
  }
  if (pending.trim() !== '') throw new Error(`The stream ended inside a frame: ${pending}`);
}

function parseFrame(block: string): SseFrame {
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    const name = colon === 0 ? 'comment' : colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  return fields;
}
