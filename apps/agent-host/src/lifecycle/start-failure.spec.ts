import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ConfigError, readHostConfig } from '../config/host.config.js';
import { explainStartFailure } from './start-failure.js';

const config = readHostConfig({});

describe('explainStartFailure', () => {
  it('lists every wrong setting and where all are explained', () => {
    const text = explainStartFailure(new ConfigError(['PORT is "x": it must be …', 'LOG_LEVEL is "y": it must be …']));
    expect(text.split('\n')).toEqual([
      'The host cannot start: 2 settings are wrong.',
      '  PORT is "x": it must be …',
      '  LOG_LEVEL is "y": it must be …',
      'All settings: docs/configuration.md',
    ]);
  });

  it('names the port that is taken and the setting that changes it', async () => {
    const [first, second] = [createServer(), createServer()];
    await once(first.listen(0, '127.0.0.1'), 'listening');
    const { port } = first.address() as AddressInfo;
    second.listen(port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [Error];
    first.close();
    const expected = (setting: string) =>
      `The host cannot start: port ${port} is in use. Stop the process that has it, or set ${setting} to a free one.`;
    expect(explainStartFailure(error, { ...config, port })).toBe(expected('PORT'));
    expect(explainStartFailure(error, { ...config, grpcPort: port })).toBe(expected('GRPC_PORT'));
  });

  it("understands gRPC's own words for a port in use", () => {
    const error = new Error('No address added out of total 1 resolved errors: [listen EADDRINUSE: address already in use 127.0.0.1:50051]');
    expect(explainStartFailure(error, config)).toContain('port 50051 is in use');
  });

  it('says anything else in its own words, without a stack and without a credential', () => {
    const text = explainStartFailure(new Error('connect postgres://app:hunter2@db:5432/a2a failed'), config);
    expect(text).toBe('The host cannot start: connect postgres://[redacted]@db:5432/a2a failed');
  });
});
