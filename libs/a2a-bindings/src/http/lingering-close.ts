import { type IncomingMessage, type ServerResponse } from 'node:http';

/** How long a client may go on sending after it was answered. */
const LINGER_MS = 500;

/**
 * Sends a complete body, and ends the response (and with it a connection that is not kept alive) after reading on for a moment.
 *
 * Closing at once would reset a connection on which the client is still sending, and many clients lose the answer with it. What still
 * arrives is thrown away.
 */
export function endLingering(request: IncomingMessage, response: ServerResponse, body: string | Buffer): void {
  const close = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(close, LINGER_MS);
  request.once('end', close).once('error', close).once('close', close);
  response.write(body);
  request.resume();
}
