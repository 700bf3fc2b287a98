import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoSecurity } from '../../apps/agent-host/src/demo/demo.security.js';
import { cancelSuite } from '../conformance/cancel.suite.js';
import { useConformanceHost } from '../conformance/conformance-host.js';
import { errorsSuite } from '../conformance/errors.suite.js';
import { getTaskSuite, listTasksSuite } from '../conformance/read-tasks.suite.js';
import { sendMessageSuite } from '../conformance/send-message.suite.js';
import { streamingSuite } from '../conformance/streaming.suite.js';
import { subscribeSuite } from '../conformance/subscribe.suite.js';
import { tenantsSuite } from '../conformance/tenants.suite.js';

/** The issuer need not be there: nobody calls the protected agent. Elsewhere anonymous callers own only what they made. */
const folder = mkdtempSync(join(tmpdir(), 'a2a-beside-'));
const file = join(folder, 'security.json');
writeFileSync(file, JSON.stringify({ ...demoSecurity('http://127.0.0.1:1', 'urn:agent:billing'), anonymousOwner: 'own' }));
afterAll(() => rmSync(folder, { recursive: true }));

describe('The open conformance agent beside a protected one', () => {
  const host = useConformanceHost({ A2A_SECURITY_FILE: file });
  sendMessageSuite(host);
  streamingSuite(host);
  getTaskSuite(host);
  listTasksSuite(host);
  cancelSuite(host);
  subscribeSuite(host);
  tenantsSuite(host);
  errorsSuite(host);
});
