const HEADER_END = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';
const EVENT = '\ndata: ';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** What one answer was. */
export interface Response {
  readonly status: number;
  readonly body: string;
}

/** Just enough of HTTP/1.1 to know when an answer is complete. Bodies must be ASCII. */
export class ResponseReader {
  #text = '';
  #bodyAt = -1;
  #length = -1;
  #seenUpTo = 0;
  /** Server-Sent Events so far. */
  events = 0;

  /** @returns the answer, once it is complete */
  take(chunk: Buffer): Response | undefined {
    this.#text += chunk.toString('latin1');
    if (this.#bodyAt === -1) this.#readHead();
    if (this.#bodyAt === -1) return undefined;
    if (this.#length === -1) this.#countEvents();
    const complete = this.#length >= 0 ? this.#text.length >= this.#bodyAt + this.#length : this.#text.endsWith(LAST_CHUNK);
    return complete ? { status: Number(this.#text.slice(9, 12)), body: this.#text.slice(this.#bodyAt) } : undefined;
  }

  #readHead(): void {
    const end = this.#text.indexOf(HEADER_END);
    if (end === -1) return;
    this.#bodyAt = end + HEADER_END.length;
    const head = this.#text.slice(0, end + 2);
    const length = LENGTH.exec(head)?.[1];
    if (length !== undefined) this.#length = Number(length);
    else if (!/\r\ntransfer-encoding: *chunked/i.test(head)) this.#length = 0;
    this.#seenUpTo = this.#bodyAt;
  }

  /** Keeps only the end of a stream: what came before has been counted. */
  #countEvents(): void {
    for (let at = this.#text.indexOf(EVENT, this.#seenUpTo); at !== -1; at = this.#text.indexOf(EVENT, this.#seenUpTo)) {
      this.events++;
      this.#seenUpTo = at + EVENT.length;
    }
  }
}
