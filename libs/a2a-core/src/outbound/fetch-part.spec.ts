import { rawPart, textPart, urlPart } from '../protocol/messages.js';
import { testTurn } from '../testing/test-turn.js';
import { OutboundError, OutboundHttp, type OutboundOptions, type OutboundResponse } from './outbound-http.js';

/** A server that gives what a spec says, and what it was asked. */
class Files extends OutboundHttp {
  asked?: OutboundOptions;
  constructor(private readonly answer: { status?: number; type?: string; body?: string } | OutboundError) {
    super();
  }
  refusal(): string | undefined {
    return undefined;
  }
  async get(_url: string, options: OutboundOptions): Promise<OutboundResponse> {
    this.asked = options;
    if (this.answer instanceof OutboundError) throw this.answer;
    const { status = 200, type, body = 'log' } = this.answer;
    return { status, headers: new Map(type ? [['content-type', type]] : []), body: Buffer.from(body) };
  }
  async post(): Promise<OutboundResponse> {
    throw new OutboundError('network', 'nothing is posted');
  }
}

const URL = 'https://files.example.com/a.log';
const part = urlPart(URL, { mediaType: 'text/plain' });

describe('turn.fetchPart', () => {
  it('gets the file behind a URL, within bounds [C23]', async () => {
    const http = new Files({ type: 'text/plain; charset=utf-8' });
    const { body, mediaType } = await testTurn({ http }).fetchPart(part);
    expect([Buffer.from(body).toString(), mediaType]).toEqual(['log', 'text/plain']);
    expect(http.asked).toMatchObject({ maxBytes: 10_485_760, timeoutMs: 30_000, headers: { accept: 'text/plain' } });
  });

  it('takes the bytes of a part that has them', async () => {
    const raw = rawPart(Buffer.from('x'), { mediaType: 'image/png' });
    await expect(testTurn().fetchPart(raw)).resolves.toEqual({ body: Buffer.from('x'), mediaType: 'image/png' });
    await expect(testTurn().fetchPart(textPart('x'))).rejects.toThrow('A part with text has no file to fetch');
  });

  it.each([undefined, 'application/octet-stream'])('believes the part where the server says %s', async (type) => {
    await expect(testTurn({ http: new Files({ type }) }).fetchPart(part)).resolves.toMatchObject({ mediaType: 'text/plain' });
  });

  it('takes no other type than the part or the skill says [C23]', async () => {
    const turn = testTurn({ http: new Files({ type: 'text/html' }) });
    await expect(turn.fetchPart(part)).rejects.toThrow('A file’s URL gave text/html, which is not text/plain');
    await expect(turn.fetchPart(part, { mediaTypes: ['image/*', 'text/*'] })).resolves.toMatchObject({ mediaType: 'text/html' });
    await expect(turn.fetchPart(urlPart(URL))).resolves.toMatchObject({ mediaType: 'text/html' });
  });

  it.each([
    [['files.example.com'], true],
    [['*.example.com'], true],
    [['example.com'], false],
    [['*.files.example.com'], false],
    [['les.example.com'], false],
    [[], false],
  ])('asks hosts of %j: %s', async (domains, isAllowed) => {
    const http = new Files({});
    const fetched = testTurn({ http })
      .fetchPart(part, { domains })
      .then(
        () => true,
        () => false,
      );
    await expect(fetched).resolves.toBe(isAllowed);
    expect(http.asked !== undefined).toBe(isAllowed);
  });

  it('says the same of every target that it cannot get from, so that nobody can map the network [C20]', async () => {
    const failures = (['blocked', 'network', 'timeout'] as const).map((failure) => new OutboundError(failure, 'x'));
    const texts = await Promise.all(
      [...failures, { status: 302 }, { status: 404 }].map((answer) =>
        testTurn({ http: new Files(answer) })
          .fetchPart(part)
          .catch((error: Error) => error.message),
      ),
    );
    expect(new Set(texts)).toEqual(new Set(['A file could not be fetched from its URL']));
    const tooLarge = testTurn({ http: new Files(new OutboundError('too-large', 'x')) }).fetchPart(part, { maxBytes: 9 });
    await expect(tooLarge).rejects.toMatchObject({ message: 'A file is larger than 9 bytes', reason: 'INVALID_PARAMS' });
  });

  it('says what a host without the door has to do', async () => {
    await expect(testTurn().fetchPart(part)).rejects.toThrow('import OutboundModule of @a2a/outbound');
  });

  it('ends with the turn', async () => {
    const turn = testTurn({ http: new Files(new OutboundError('network', 'x')), signal: AbortSignal.abort(new Error('canceled')) });
    await expect(turn.fetchPart(part)).rejects.toThrow('canceled');
  });
});
