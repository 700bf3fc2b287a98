import { Injectable } from '@nestjs/common';
import { AgentSkill, OutboundHttp, type Skill, type TurnContext } from '@a2a/a2a-core';

@AgentSkill({ id: 'count-lines', name: 'Count lines', description: 'Counts the lines of a file', tags: ['example'] })
export class CountLinesSkill implements Skill {
  async execute(turn: TurnContext): Promise<object> {
    const file = turn.message.parts.find(({ content }) => content.case === 'url' || content.case === 'raw');
    if (!file) return turn.requireInput('Which file?');
    const { body } = await turn.fetchPart(file, { mediaTypes: ['text/*'], maxBytes: 1_000_000 });
    return { lines: Buffer.from(body).toString('utf8').split('\n').length };
  }
}

@Injectable()
export class ExchangeRates {
  constructor(private readonly http: OutboundHttp) {}

  async rateOf(currency: string, signal: AbortSignal): Promise<number> {
    const url = `https://rates.example.com/${encodeURIComponent(currency)}`;
    const { status, body } = await this.http.get(url, { maxBytes: 10_000, timeoutMs: 5_000, signal });
    if (status !== 200) throw new Error(`The rates answered ${status}`);
    return Number(Buffer.from(body).toString('utf8'));
  }
}
