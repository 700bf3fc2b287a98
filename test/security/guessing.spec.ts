import { WIRES } from '../conformance/conformance-host.js';
import { ask } from './ask.js';
import { type Headers, PASSWORD, useProtectedHost } from './protected-host.js';
import { refusalOf } from './refusals.js';

const host = useProtectedHost();

function basic(username: string, password: string): Headers {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

describe('Callers who guess', () => {
  const calls = (headers: Headers) =>
    WIRES.map(async (wire) => refusalOf((await host().client('expense-approval', wire)).listTasks({}, { headers }), wire));

  async function guess(headers: (attempt: number) => Headers): Promise<Set<string>> {
    const client = await host().client('expense-approval', 'HTTP+JSON');
    const refusals = new Set<string>();
    for (let attempt = 0; attempt < 30; attempt++) {
      refusals.add(await refusalOf(client.listTasks({}, { headers: headers(attempt) }), 'HTTP+JSON'));
    }
    return refusals;
  }

  it('passwords wait after thirty failures, on every wire, and nobody else does [A24]', async () => {
    expect(await guess((attempt) => basic('eve', `guess ${attempt}`))).toEqual(new Set(['A401']));
    expect(await Promise.all(calls(basic('eve', 'another')))).toEqual(['RL', 'RL', 'RL']);
    expect(await Promise.all(calls(basic('mallory', 'another')))).toEqual(['A401', 'A401', 'A401']);
    for (const wire of WIRES) {
      expect((await (await host().client('expense-approval', wire)).listTasks({}, { headers: basic('ada', PASSWORD) })).tasks).toEqual([]);
    }
  });

  it('keys wait after thirty failures, on every wire [A23]', async () => {
    await guess((attempt) => ({ cookie: `session=guess-${attempt}` }));
    expect(await Promise.all(calls({ cookie: 'session=another' }))).toEqual(['RL', 'RL', 'RL']);
    const answer = await ask(host().httpUrl, 'GET', '/agents/expense-approval/tasks', { cookie: 'session=another' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
