import { describeProtocol } from './protocol.suites.js';

describe('A2A 1.0 with Express', () => {
  describeProtocol({ HTTP_ADAPTER: 'express' });
});
