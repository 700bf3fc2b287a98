import { useConformanceHost } from './conformance-host.js';
import { capabilitiesSuite } from './errors.suite.js';
import { requiredExtensionSuite } from './service-params.suite.js';

describe('An agent without optional capabilities', () => {
  capabilitiesSuite(useConformanceHost({ A2A_CONFORMANCE_PROFILE: 'bare' }));
});

describe('An agent with a required extension', () => {
  requiredExtensionSuite(useConformanceHost({ A2A_CONFORMANCE_PROFILE: 'extension' }));
});
