import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody has, for servers that cannot tell which one they got. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
