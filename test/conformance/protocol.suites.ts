import { cancelSuite } from './cancel.suite.js';
import { cardsSuite } from './cards.suite.js';
import { useConformanceHost } from './conformance-host.js';
import { equivalenceSuite } from './equivalence.suite.js';
import { errorsSuite } from './errors.suite.js';
import { jsonRpcSuite, restSuite } from './http.suite.js';
import { malformedInputSuite } from './malformed-input.suite.js';
import { multiTurnSuite } from './multi-turn.suite.js';
import { getTaskSuite, listTasksSuite } from './read-tasks.suite.js';
import { sendMessageSuite } from './send-message.suite.js';
import { eventSequenceSuite, extensionsSuite, versioningSuite } from './service-params.suite.js';
import { streamingSuite } from './streaming.suite.js';
import { subscribeSuite } from './subscribe.suite.js';
import { tenantsSuite } from './tenants.suite.js';

/** Everything that the protocol asks of an agent, against one host with these settings. */
export function describeProtocol(env: Readonly<Record<string, string>>): void {
  const host = useConformanceHost(env);
  sendMessageSuite(host);
  streamingSuite(host);
  getTaskSuite(host);
  listTasksSuite(host);
  cancelSuite(host);
  subscribeSuite(host);
  multiTurnSuite(host);
  versioningSuite(host);
  extensionsSuite(host);
  eventSequenceSuite(host);
  tenantsSuite(host);
  errorsSuite(host);
  malformedInputSuite(host);
  jsonRpcSuite(host);
  restSuite(host);
  cardsSuite(host);
  equivalenceSuite(host);
}
