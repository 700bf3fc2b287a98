import { DEMO_CLIENTS, type DemoClient } from './demo.clients.js';

/** An HTTP request that the demo makes, and shows as a command. */
export interface DemoRequest {
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a form. */
  readonly body?: object | URLSearchParams;
}

/** One thing the demo shows. */
export interface DemoStep {
  readonly title: string;
  /** @param answers bodies of the steps before, by title */
  request(answers: ReadonlyMap<string, unknown>): DemoRequest;
  /** The status that comes back. */
  readonly status: number;
}

const TOKEN = 'A token for ACME, by its client id and secret';
const LARGE = 'A large refund stops in the middle: the task waits in AUTH_REQUIRED';

/** From a closed door to a finished refund, in the order in which they are run. */
export function demoSteps(host: string, issuer: string, audience: string): readonly DemoStep[] {
  const [acme, globex] = DEMO_CLIENTS as [DemoClient, DemoClient];
  const agent = `${host}/agents/billing`;
  const token = (client: DemoClient, scope: string): DemoRequest => ({
    method: 'POST',
    url: `${issuer}/token`,
    headers: { Authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
  });
  const withToken = (answers: ReadonlyMap<string, unknown>, title: string, request: DemoRequest): DemoRequest => {
    const { access_token } = answers.get(title) as { access_token: string };
    return { ...request, headers: { 'A2A-Version': '1.0', Authorization: `Bearer ${access_token}`, ...request.headers } };
  };
  const send = (tenant: string, text: string, taskId?: string): DemoRequest => ({
    method: 'POST',
    url: `${agent}/${tenant}/message:send`,
    body: { message: { messageId: `${tenant} ${text}`, role: 'ROLE_USER', parts: [{ text }], taskId } },
  });
  const clerk = 'a2a.send a2a.read a2a.card billing.refund';
  return [
    { title: 'The card says what the agent asks for', status: 200, request: () => ({ url: `${agent}/.well-known/agent-card.json` }) },
    {
      title: 'Without a token nobody comes in',
      status: 401,
      request: () => ({ ...send('acme', 'What did we pay?'), headers: { 'A2A-Version': '1.0' } }),
    },
    { title: TOKEN, status: 200, request: () => token(acme, clerk) },
    { title: 'ACME sees its invoices', status: 200, request: (answers) => withToken(answers, TOKEN, send('acme', 'What did we pay?')) },
    {
      title: 'and not those of Globex, which it only says it is',
      status: 403,
      request: (answers) => withToken(answers, TOKEN, send('globex', 'What did we pay?')),
    },
    {
      title: 'The extended card shows ACME what it may use',
      status: 200,
      request: (answers) => withToken(answers, TOKEN, { url: `${agent}/acme/extendedAgentCard` }),
    },
    { title: LARGE, status: 200, request: (answers) => withToken(answers, TOKEN, send('acme', 'refund INV-8')) },
    { title: 'A token that may approve', status: 200, request: () => token(acme, `${clerk} billing.approve`) },
    {
      title: 'and the task goes on',
      status: 200,
      request: (answers) => withToken(answers, 'A token that may approve', send('acme', 'please go on', taskIdOf(answers.get(LARGE)))),
    },
    { title: 'A token for Globex', status: 200, request: () => token(globex, clerk) },
    {
      title: 'finds no such task: whose it is, nobody else can tell that it is there',
      status: 404,
      request: (answers) => withToken(answers, 'A token for Globex', { url: `${agent}/globex/tasks/${taskIdOf(answers.get(LARGE))}` }),
    },
  ];
}

function taskIdOf(answer: unknown): string {
  return (answer as { task: { id: string } }).task.id;
}

/** The request as a command for a shell that has the last token in `TOKEN`. */
export function toCommand({ method = 'GET', url, headers = {}, body }: DemoRequest): string {
  const options = Object.entries(headers).map(([name, value]) =>
    value.startsWith('Bearer ') ? `-H "${name}: Bearer $TOKEN"` : `-H '${name}: ${value}'`,
  );
  if (body instanceof URLSearchParams) options.push(...[...body].map(([name, value]) => `-d '${name}=${value}'`));
  else if (body) options.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`);
  else if (method === 'POST') options.push('-X POST');
  return ['curl', `'${url}'`, ...options].join(' ');
}

/** Makes the request that `toCommand` shows. */
export function run({ method = 'GET', url, headers = {}, body }: DemoRequest): Promise<Response> {
  if (body === undefined || body instanceof URLSearchParams) return fetch(url, { method, headers, body });
  return fetch(url, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}
