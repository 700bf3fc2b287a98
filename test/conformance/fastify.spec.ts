import { describeProtocol } from './protocol.suites.js';

describe('A2A 1.0 with Fastify', () => {
  describeProtocol({ HTTP_ADAPTER: 'fastify' });
});
