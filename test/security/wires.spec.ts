import { randomUUID } from 'node:crypto';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { reasonOf, say } from '../conformance/requests.js';
import { AUDIENCE, useProtectedHost } from './protected-host.js';

const host = useProtectedHost();

describe.each(WIRES)('Identity over %s', (wire: Wire) => {
  it('lets in who the card asks for, and nobody else', async () => {
    const client = await host().client('conformance', wire);
    const headers = await host().bearer({ sub: 'alice' });
    expect(await reasonOf(client.send(say('/task')))).toBe('UNAUTHENTICATED');
    const { task } = await client.send(say('/task'), { headers });
    expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    const request = { id: task?.id ?? '' };
    expect((await client.getTask(request, { headers })).id).toBe(request.id);
    expect(await reasonOf(client.getTask(request, { headers: await host().bearer({ sub: 'bob' }) }))).toBe('TASK_NOT_FOUND');
  });

  it('keeps open agents beside protected ones', async () => {
    const echo = await host().client('echo', wire);
    expect(JSON.stringify(await echo.send(say(`hello ${randomUUID()}`)))).toContain('hello');
    const billing = await host().client('billing', wire);
    const headers = await host().bearer({ aud: AUDIENCE.billing });
    expect(JSON.stringify(await billing.send(say('What did we pay?'), { headers }))).toContain('INV-1');
  });
});
