import {
  OutboundHttp,
  type OutboundOptions,
  type OutboundResponse,
  PartNotFetchedError,
  testTurn,
  urlPart,
  userMessage,
} from '@a2a/a2a-core';
import { GuardedHttp } from '@a2a/outbound';
import { CountLinesSkill, ExchangeRates } from './outbound-forms.js';

/** A network in which everybody says the same. */
class Saying extends OutboundHttp {
  readonly asked: { url: string; options: OutboundOptions }[] = [];

  constructor(private readonly text: string) {
    super();
  }

  refusal(): undefined {}

  async get(url: string, options: OutboundOptions): Promise<OutboundResponse> {
    this.asked.push({ url, options });
    return { status: 200, headers: new Map([['content-type', 'text/plain']]), body: Buffer.from(this.text) };
  }

  async post(url: string, _body: string | Uint8Array, options: OutboundOptions): Promise<OutboundResponse> {
    return this.get(url, options);
  }
}

const FILE = userMessage(urlPart('https://files.example.com/a.log'));

describe('a skill that fetches a file', () => {
  it('reads the part of the message, within its bounds', async () => {
    const http = new Saying('one\ntwo');
    expect(await new CountLinesSkill().execute(testTurn({ message: FILE, http }))).toEqual({ lines: 2 });
    expect(http.asked).toMatchObject([{ url: 'https://files.example.com/a.log', options: { maxBytes: 1_000_000 } }]);
  });

  it('gets nothing from the host’s own network [A2A §14.1.1]', async () => {
    const http = new GuardedHttp();
    const message = userMessage(urlPart('https://127.0.0.1/secrets'));
    await expect(new CountLinesSkill().execute(testTurn({ message, http }))).rejects.toBeInstanceOf(PartNotFetchedError);
    await http.close();
  });

  it('asks for a file where there is none', async () => {
    expect(await new CountLinesSkill().execute(testTurn())).toMatchObject({ $typeName: 'lf.a2a.v1.TaskStatusUpdateEvent' });
  });
});

describe('a service that calls another', () => {
  it('goes through the port, and says how long and how much', async () => {
    const http = new Saying('1.07');
    expect(await new ExchangeRates(http).rateOf('EUR', new AbortController().signal)).toBe(1.07);
    expect(http.asked).toMatchObject([{ url: 'https://rates.example.com/EUR', options: { maxBytes: 10_000, timeoutMs: 5_000 } }]);
  });
});
