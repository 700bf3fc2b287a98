export { OutboundModule } from './outbound.module.js';
export { GuardedHttp, type GuardedHttpOptions } from './guarded-http.js';
export { AddressPolicy } from './address.policy.js';
export { TargetPolicy } from './target.policy.js';
export { type Resolve } from './guarded-connector.js';
